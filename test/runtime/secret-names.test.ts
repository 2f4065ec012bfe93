import { expect, test } from "vitest";
import { saysSecret } from "../../runtime/secret-names.ts";

const words = (text: string): string[] => text.split(/\s+/);

test.each(
  words(
    "API_KEYS OPENAI_API_KEYS ACCESS_KEYS accessKeys api_keys APIKEYS apikeys SSH_KEYS TOKENS tokens API_TOKENS BOT_TOKENS " +
      "GITHUB_TOKENS accessTokens AUTHTOKENS PASSWORDS DB_PASSWORDS passwords PASSPHRASES PASSWDS JWTS SECRETS CREDENTIALS " +
      "CREDS LOGIN_CREDS GOOGLE_CREDS BEARER API_BEARER bearer TOKENS_PROD API_KEYS_2 GITHUB_TOKEN_2 TOKEN_BASE64 PRIVATE_KEY_B64 " +
      "API_KEY TOKEN PASSWORD DB_PASS PAT VERIFY_TOKEN IS_TOKEN PAGE_TOKEN FB_PAGE_TOKEN DB_PASSWORDS_JSON GH_PATS PATS " +
      "identitytoken registrytoken sessiontoken refreshtoken idtoken bottoken BOTTOKENS clientsecret apisecret accountkey " +
      "passPhrase pass_phrase",
  ),
)("%s says that its value is a secret", (name) => expect(saysSecret(name)).toBe(true));

test.each(
  words(
    "MAX_TOKENS max_tokens maxTokens MAX_OUTPUT_TOKENS max_completion_tokens maxNewTokens estimatedTokens NUM_TOKENS " +
      "TOTAL_TOKENS inputTokens output_tokens prompt_tokens THINKING_BUDGET_TOKENS context_tokens cached_tokens STOP_TOKENS " +
      "special_tokens ALLOWED_TOKENS design-tokens maxTokensPerPage KEYS objectKeys maxKeys PRIMARY_KEYS PUBLIC_KEYS " +
      "keyValueStores NEXT_PAGE_TOKEN pageToken page_token nextPageToken PATHS PATTERNS HAS_TOKEN USE_BEARER CREDITS PASSES PASSAGES COMPASS KEYBOARDS TOKENIZERS " +
      "gridtoken robotToken_url phrase PHRASE search_phrase accountKeyboard",
  ),
)("%s doesn't", (name) => expect(saysSecret(name)).toBe(false));

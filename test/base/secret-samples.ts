/** Made-up secrets in the form of each issuer, put together when they are asked for, so that no scanner takes this file for one. */

const LOWER = "abcdefghijkmnpqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdef`;
const UPPER = LOWER.toUpperCase();
const ANY = `${UPPER}${LOWER}${DIGITS}`;

/** The same each time; with letters and digits wherever there are both. */
function made(length: number, alphabet: string = ANY): string {
  let state = length * 7919 + alphabet.length;
  let text = "";
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += alphabet[(state >> 8) % alphabet.length]!;
  }
  return `${text.slice(0, -2)}${alphabet.at(-1)!}${alphabet[0]!}`;
}

const any = (length: number): string => made(length);
const hex = (length: number): string => made(length, HEX);
const lower = (length: number): string => made(length, LOWER + DIGITS);
const upper = (length: number): string => made(length, UPPER + DIGITS);
const digits = (length: number): string => made(length, DIGITS).replace(/^0/, "1");
const uuid = (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
const join = (...parts: readonly string[]): string => parts.join("");

/** By what it is. */
export function secretSamples(): Readonly<Record<string, string>> {
  return { ...ofCode(), ...ofClouds(), ...ofWork(), ...ofMoneyAndMail(), ...ofHosting(), ...ofModels(), ...ofKeys() };
}

function ofCode(): Record<string, string> {
  return {
    "GitHub, personal": join("gh", "p_", any(36)),
    "GitHub, OAuth": join("gh", "o_", any(36)),
    "GitHub, app": join("gh", "s_", any(36)),
    "GitHub, refresh": join("gh", "r_", any(76)),
    "GitHub, fine-grained": join("github", "_pat_", any(22), "_", any(59)),
    GitLab: join("gl", "pat-", any(20)),
    "GitLab, pipeline": join("gl", "ptt-", hex(40)),
    "GitLab, runner": join("GR13", "48941", any(20)),
    Bitbucket: join("AT", "BB", any(32)),
    Atlassian: join("ATA", "TT3", any(180), "=", hex(8).toUpperCase()),
    npm: join("npm", "_", any(36)),
    PyPI: join("pypi", "-AgEIcHlwaS5vcmc", any(70)),
    RubyGems: join("ruby", "gems_", hex(48)),
    NuGet: join("oy", "2", lower(43)),
    "crates.io": join("ci", "o", any(32)),
    Docker: join("dckr", "_pat_", any(27)),
    JFrog: join("AK", "Cp", any(69)),
    "JFrog, reference": join("cmVm", "dGtu", any(56)),
    SonarQube: join("sq", "p_", hex(40)),
    Sourcegraph: join("sg", "p_", hex(40)),
    CircleCI: join("CCI", "PAT_", any(22), "_", hex(40)),
    Buildkite: join("bk", "ua_", hex(40)),
    Postman: join("PM", "AK-", hex(24), "-", hex(34)),
  };
}

function ofClouds(): Record<string, string> {
  return {
    "AWS, key id": join("AK", "IA", made(16, `${UPPER}234567`)),
    "AWS, session": join("AS", "IA", made(16, `${UPPER}234567`)),
    "AWS, Bedrock": join("AB", "SK", any(120)),
    "Google, API key": join("AI", "za", any(35)),
    "Google, OAuth": join("ya", "29.", any(60)),
    "Google, client": join("GOC", "SPX-", any(28)),
    "Google, refresh": join("1/", "/0", any(40)),
    "Azure, storage": join("Account", "Key=", any(86), "=="),
    "Azure, application": join("a1B", "8", "Q~", any(34)),
    "Azure, AI": join(any(52), "JQQ", "J99", any(26)),
    "Azure DevOps": join(any(76), "AZ", "DO", any(4)),
    "Azure, SAS": join("https://h.blob.core.windows.net/c?sv=2022&", "sig=", any(43), "%3D"),
    Alibaba: join("LT", "AI", any(20)),
    Tencent: join("AK", "ID", any(32)),
    Yandex: join("AQ", "VN", any(36)),
    Cloudflare: join("v1.", "0-", hex(24), "-", hex(146)),
    "Cloudflare, user": join("cf", "ut_", any(40)),
    DigitalOcean: join("dop", "_v1_", hex(64)),
    HashiCorp: join("hv", "s.", any(90)),
    Terraform: join(any(14), ".atlas", "v1.", any(67)),
    Pulumi: join("pu", "l-", hex(40)),
    Doppler: join("dp.", "pt.", any(43)),
    "1Password": join("ops", "_eyJ", any(250)),
    "1Password, key": join("A", "3-", upper(6), "-", upper(11), "-", upper(5), "-", upper(5), "-", upper(5)),
    Tailscale: join("ts", "key-auth-", any(12), "-", any(32)),
  };
}

function ofWork(): Record<string, string> {
  return {
    "Slack, bot": join("xo", "xb-", digits(12), "-", digits(12), "-", any(24)),
    "Slack, app": join("xa", "pp-1-", upper(11), "-", digits(13), "-", hex(64)),
    "Slack, webhook": join("https://hooks.", "slack.com/services/", "T", upper(8), "/B", upper(8), "/", any(24)),
    "Discord, bot": join("MT", any(24), ".", any(6), ".", any(38)),
    "Discord, webhook": join("https://discord.", "com/api/webhooks/", digits(18), "/", any(68)),
    Telegram: join(digits(10), ":A", "A", any(33)),
    Notion: join("nt", "n_", any(46)),
    "Notion, older": join("secr", "et_", any(43)),
    Linear: join("lin", "_api_", any(40)),
    Figma: join("fig", "d_", any(40)),
    Airtable: join("pa", "t", any(14), ".", hex(64)),
    Asana: join("2/", digits(16), "/", digits(16), ":", hex(32)),
    ClickUp: join("pk", "_", digits(8), "_", upper(32)),
    Typeform: join("tf", "p_", any(44), "_", any(14)),
    Contentful: join("CF", "PAT-", any(43)),
    HubSpot: join("pat", "-na1-", uuid()),
    Salesforce: join("00", "D", any(15), "!", any(90)),
    Dropbox: join("sl", ".u.", any(130)),
    Intercom: join("dG", "9rO", any(56)),
    Databricks: join("da", "pi", hex(32)),
  };
}

function ofMoneyAndMail(): Record<string, string> {
  return {
    "Stripe, secret": join("sk", "_live_", any(24)),
    "Stripe, restricted": join("rk", "_test_", any(24)),
    "Stripe, webhook": join("wh", "sec_", any(32)),
    Square: join("sq0", "atp-", any(22)),
    "Square, access": join("EA", "AA", any(60)),
    Meta: join("EA", "AB", any(120)),
    PayPal: join("access_", "token$production$", lower(16), "$", hex(32)),
    Plaid: join("access", "-sandbox-", uuid()),
    Flutterwave: join("FLW", "SECK-", hex(32), "-X"),
    Shippo: join("shippo", "_live_", hex(40)),
    EasyPost: join("EZ", "AK", any(54)),
    Shopify: join("shp", "at_", hex(32)),
    SendGrid: join("S", "G.", any(22), ".", any(43)),
    Mailgun: join("ke", "y-", hex(32)),
    Mailchimp: join(hex(32), "-u", "s12"),
    Brevo: join("xkey", "sib-", hex(64), "-", any(16)),
    Resend: join("r", "e_", any(8), "_", any(24)),
    Twilio: join("S", "K", hex(32)),
  };
}

function ofHosting(): Record<string, string> {
  return {
    Heroku: join("HR", "KU-", any(58)),
    Vercel: join("vc", "p_", any(56)),
    "Vercel, blob": join("vercel", "_blob_rw_", any(16), "_", any(30)),
    Netlify: join("nf", "p_", any(36)),
    "Fly.io": join("fo", "1_", any(43)),
    Render: join("rn", "d_", any(32)),
    PlanetScale: join("pscale", "_tkn_", any(43)),
    Neon: join("na", "pi_", lower(64)),
    "Neon, short": join("na", "pi_", any(28)),
    Composio: join("a", "k_", any(20)),
    "Zapier, MCP": join("https://mcp.", "zapier.com/api/mcp/s/", any(64), "/mcp"),
    "Zapier, MCP by id": join("https://mcp.", "zapier.com/api/mcp/s/", uuid(), "/mcp"),
    "Teams, webhook": join(
      "https://acme.",
      "webhook.office.com/webhookb2/",
      uuid(),
      "@",
      uuid(),
      "/IncomingWebhook/",
      hex(32),
      "/",
      uuid(),
    ),
    "Supabase, personal": join("sb", "p_", hex(40)),
    "Supabase, secret": join("sb", "_secret_", any(31)),
    MongoDB: join("mdb", "_sa_sk_", any(40)),
    Sentry: join("snt", "ryu_", hex(64)),
    Grafana: join("gl", "sa_", any(32), "_", hex(8)),
    "Grafana, cloud": join("gl", "c_", any(100)),
    "New Relic": join("NR", "AK-", upper(27)),
    Dynatrace: join("dt0", "c01.", upper(24), ".", upper(64)),
    Honeycomb: join("hc", "aik_", lower(58)),
    LaunchDarkly: join("sd", "k-", uuid()),
    PostHog: join("ph", "x_", any(43)),
    Prefect: join("pn", "u_", any(36)),
    Mapbox: join("sk", ".eyJ", any(60), ".", any(22)),
    "Trigger.dev": join("tr", "_dev_", any(24)),
    Browserbase: join("bb", "_live_", any(27)),
    Zuplo: join("zp", "ka_", lower(32), "_", hex(8)),
  };
}

function ofModels(): Record<string, string> {
  return {
    OpenAI: join("sk", "-proj-", any(74)),
    Anthropic: join("sk", "-ant-api03-", any(93), "AA"),
    OpenRouter: join("sk", "-or-v1-", hex(64)),
    "Hugging Face": join("h", "f_", any(34)),
    Replicate: join("r", "8_", any(37)),
    Groq: join("gs", "k_", any(52)),
    Perplexity: join("ppl", "x-", any(48)),
    xAI: join("xa", "i-", any(80)),
    Cerebras: join("cs", "k-", lower(48)),
    NVIDIA: join("nv", "api-", any(64)),
    Voyage: join("p", "a-", any(43)),
    Fireworks: join("f", "w_", any(24)),
    Together: join("tgp", "_v1_", any(43)),
    Pinecone: join("pc", "sk_", any(60)),
    LangSmith: join("lsv2", "_pt_", hex(32), "_", hex(10)),
    Tavily: join("tv", "ly-dev-", any(32)),
    Firecrawl: join("f", "c-", hex(32)),
    "Brave Search": join("BS", "A", any(28)),
    Jina: join("ji", "na_", hex(32), any(28)),
    E2B: join("e2", "b_", hex(40)),
    Apify: join("apify", "_api_", any(36)),
    ElevenLabs: join("s", "k_", hex(48)),
  };
}

function ofKeys(): Record<string, string> {
  const body = `${any(64)}\n${any(64)}\n${any(40)}==`;
  return {
    "RSA key": join("-----BEGIN RSA ", "PRIVATE", " KEY-----\n", body, "\n-----END RSA ", "PRIVATE", " KEY-----"),
    "PKCS#8 key": join("-----BEGIN ", "PRIVATE", " KEY-----\n", body),
    "OpenSSH key": join("-----BEGIN OPENSSH ", "PRIVATE", " KEY-----\n", body),
    "PGP key": join("-----BEGIN PGP ", "PRIVATE", " KEY BLOCK-----\nVersion: 1\n\n", body),
    "PuTTY key": join("PuTTY-User", "-Key-File-3: ssh-ed25519\nEncryption: none\n", body),
    age: join("AGE-SECRET", "-KEY-1", upper(58)),
    JWT: join("ey", "J", any(33), ".", "ey", "J", any(60), ".", any(43)),
  };
}

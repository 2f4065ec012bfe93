import { createHash, randomUUID } from "node:crypto";

/** What looks a little like a secret and is none: a hundred values that stand in real projects. */
export function innocentValues(): string[] {
  const digest = (algorithm: string, of: string): string => createHash(algorithm).update(of).digest("hex");
  const base64 = (bytes: number): string =>
    Buffer.from(digest("sha512", "image").repeat(9), "hex").subarray(0, bytes).toString("base64");
  return [
    ...["md5", "sha1", "sha224", "sha256", "sha384", "sha512"].map((one) => digest(one, "harbor")),
    ...["sha256", "sha512"].map((one) => `${one}:${digest(one, "harbor")}`),
    `sha512-${base64(64)}`,
    `node@sha256:${digest("sha256", "image")}`,
    `ghcr.io/acme/server@sha256:${digest("sha256", "other")}`,
    digest("sha1", "commit"),
    digest("sha1", "commit").slice(0, 7),
    `git+https://github.com/acme/server.git#${digest("sha1", "commit")}`,
    "550e8400-e29b-41d4-a716-446655440000",
    "00000000-0000-0000-0000-000000000000",
    `urn:uuid:${randomUUID()}`,
    `{${randomUUID().toUpperCase()}}`,
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "cjld2cjxh0000qzrmn831i7rn",
    "V1StGXR8_Z5jdHi6B-myT",
    "507f1f77bcf86cd799439011",
    `data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${base64(300)}`,
    `data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP${base64(90)}`,
    `data:font/woff2;base64,d09GMgABAAAAA${base64(200)}`,
    "eyJ",
    "eyJhbGciOiJIUzI1NiJ9",
    ...MODELS,
    ...PACKAGES,
    ...NAMES,
    ...PLACES,
    ...TEXTS,
    ...FILLED_IN,
  ];
}

const MODELS = [
  "gpt-4o-mini-2024-07-18",
  "claude-sonnet-4-5-20250929",
  "claude-3-5-haiku-latest",
  "gemini-2.5-flash-preview-05-20",
  "meta-llama/Llama-3.3-70B-Instruct-Turbo-Free",
  "mistralai/Mixtral-8x22B-Instruct-v0.1",
  "text-embedding-3-large",
  "us.anthropic.claude-3-7-sonnet-20250219-v1:0",
  "qwen2.5-coder:32b-instruct-q4_K_M",
  "deepseek-r1-distill-llama-70b",
];

const PACKAGES = [
  "@modelcontextprotocol/server-filesystem@2025.11.18",
  "sk-learn-contrib-estimator-html-repr",
  "mcp-remote@0.15.1",
  "scikit_learn-1.5.2-cp312-cp312-manylinux_2_17_x86_64.whl",
  "https://packages.example.com/@acme/server/-/server-1.2.3.tgz",
  "pypi-attestations",
  "npm_config_registry",
  "npm_package_dependencies_modelcontextprotocol",
  "kubernetes-deployment-strategy-type-2",
  "hf_hub_download",
];

const NAMES = [
  "secret_scanning_alerts_list_2",
  "secret_manager_configuration_name_3",
  "list_pull_request_review_comments_v2",
  "agency-hosting_listAgencyPlanOrderDiskUsageMetricsV1",
  "VPS_getPostInstallScriptListV1",
  "task-master-autopilot-2025-resume",
  "risk-assessment-2025-quarterly-report",
  "disk-usage-alert-policy-v2-production",
  "X-Request-Id-2f1c",
  "GITHUB_PERSONAL_ACCESS_TOKEN",
  "MAX_TOKENS_PER_MINUTE_2",
  "arn:aws:iam::123456789012:role/service-role/harbor-lambda-role-1a2b3c4d",
  "arn:aws:secretsmanager:eu-central-1:123456789012:secret:harbor-AbCdEf",
  "projects/harbor-1234/secrets/notes-key/versions/3",
  "customfield_10021",
  "pk_live_publishable",
  "urn:ietf:params:oauth:grant-type:jwt-bearer",
  "SHA256:uNiVztksCsDhcc0u9e8BgrJXVGDFzzSmqUn1uBzCZkY",
  "whsec",
  "napi_create_external_arraybuffer_2",
  "ak_list_project_members_v2",
  "sk-",
  "AKIA",
];

const PLACES = [
  "C:\\Programs\\server-2.1\\bin\\server.exe",
  "/var/lib/docker/overlay2/0d1e2f3a4b5c6d7e8f901a2b3c4d5e6f/merged",
  "/srv/cache/huggingface/hub/models--acme--base/snapshots/5f2c81d09be74a36",
  "src/components/__snapshots__/Button.test.tsx.snap",
  "IMG_20251118_104233_HDR_00000123456789.jpeg",
  "Screenshot 2025-11-18 at 10.42.33.png",
  "https://example.com/assets/index-BkT7Xq3v.js?v=1732012345678",
  "https://docs.example.com/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms/edit#gid=0",
  "https://www.figma.com/file/4jXqkN2mB8zT0vYc6LrWpE/Harbor?node-id=12%3A345",
  "https://app.example.com/?page=2&sort=created_at&cursor=1732012345678",
  "https://sentry.example.com/organizations/harbor/issues/4503599627370496/",
  "https://mcp.zapier.com/mcp/servers",
  "https://mcp.zapier.com/api/mcp/s/YOUR_SECRET/mcp",
  "https://acme.webhook.office.com/webhookb2/...",
  "s3://harbor-backups-eu-central-1/2025/11/18/dump-20251118T104233Z.sql.gz",
  "postgres://localhost:5432/harbor_test?sslmode=disable",
  "git@github.com:acme/harbor-server-monorepo-2.git",
  "fe80::1ff:fe23:4567:890a%eth0",
  "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
];

const TEXTS = [
  "*/5 9-17 * * 1-5",
  "0 0 1,15 * 3",
  "2025-11-18T10:42:33.123456789+01:00",
  "P3Y6M4DT12H30M5S",
  "4111 1111 1111 1111",
  "+49 30 901820",
  "DE89 3704 0044 0532 0130 00",
  "978-3-16-148410-0",
  "#1a2b3c4d",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "^[A-Za-z0-9_-]{20,}$",
  "charset=utf-8; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW",
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0",
  "Reads pages; needs a key that begins with -----BEGIN PRIVATE KEY----- and ends with its footer.",
  "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft",
  "3.14159265358979323846264338327950288",
  "123456789012345678901234567890",
  "AAAAB3NzaC1yc2EAAAADAQABAAABAQC7harbor",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ2harborharborharborharborharborharbor01 ada@harbor",
];

/** What people write where a token will stand. */
const FILLED_IN = [
  `ghp_${"x".repeat(36)}`,
  `sk-${"X".repeat(40)}`,
  `SK${"0".repeat(32)}`,
  `AKIA${"X".repeat(16)}`,
  "<your-github-token-goes-here-2025>",
  "sk-your-openai-api-key-goes-here",
  "xoxb-your-token",
];

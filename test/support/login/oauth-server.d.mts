export interface OAuthSettings {
  lifetime: number;
  registers: boolean;
  revokes: boolean;
  describes: boolean;
  asks: boolean;
  rotates: boolean;
  scopes: string[];
  challenges?: string[] | null;
  denies?: string;
  badState?: boolean;
  silent?: boolean;
  echo?: boolean;
  noRefresh?: boolean;
  leads?: string | undefined;
  messagesAt?: string | undefined;
  slowTokens?: number;
  tokenStatus?: number | undefined;
  revokeStatus?: number;
  behind?: string;
  wrongIssuer?: string;
  authorizeAt?: string;
  tokenAt?: string;
}

export interface Seen {
  readonly at: "mcp" | "issuer";
  readonly path: string;
  readonly method: string;
  readonly authorization?: string;
  readonly grant?: string | null;
}

export interface OAuthServer {
  readonly settings: OAuthSettings;
  readonly seen: Seen[];
  readonly resource: string;
  readonly origin: string;
  readonly issuer: string;
  tokens(): string[];
  addClient(client: { client_id: string; redirect_uris: string[]; client_secret?: string }): void;
  endAllGrants(): void;
  expireAccess(): void;
  close(): Promise<unknown>;
}

export function startOAuthServer(settings?: Partial<OAuthSettings>, port?: number): Promise<OAuthServer>;

export type { ThinConfig, ThinCredentials, ThinWallet } from './config.ts';
export type { AccessToken, AccessTokenSource, OracleDriver } from './oracle-driver.ts';
export { createThinTransport } from './thin-transport.ts';

export { ORDS_MODES, type OrdsConfig, type OrdsCredentials, type OrdsMode } from './config.ts';
export type { OrdsRuntime } from './ords-http-client.ts';
export { createOrdsTransport } from './ords-transport.ts';

import { useClient } from './client-program.ts';

export default {
  async fetch(request: Request): Promise<Response> {
    const baseUrl = new URL(request.url).searchParams.get('service') ?? '';
    return Response.json(await useClient(baseUrl, 'worker'));
  },
};

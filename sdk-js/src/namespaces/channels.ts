import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  ChannelConnection,
  ChannelConnectionTest,
  ChannelMapping,
  ChatChannel,
  CreateChannelConnection,
  CreateChannelMapping,
  ListChatChannelsParams,
  UpdateChannelConnection,
  UpdateChannelMapping,
} from '../types.ts';

/** Channels of Slack and Mattermost that are also sessions of a Project. */
export class Channels {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Lists the organisation's chat connections. */
  listConnections(options?: RequestOptions): PageCall<ChannelConnection> {
    return this.#api.path('/channel-connections').list(undefined, options);
  }

  /** Connects a chat system. The token is checked first. */
  connect(params: CreateChannelConnection, options?: RequestOptions): Call<ChannelConnection> {
    return this.#api.path('/channel-connections').post(params, options);
  }

  /** Updates the given fields. A new token heals a BROKEN connection. */
  updateConnection(
    id: string,
    params: UpdateChannelConnection,
    options?: RequestOptions,
  ): Call<ChannelConnection> {
    return this.#api.path('/channel-connections/{id}', id).patch(params, options);
  }

  /** Removes a chat connection with its secrets and mappings. Messages stay. */
  disconnect(id: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/channel-connections/{id}', id).delete(options);
  }

  /** Tests the connection. A failed test is a result, not an error: check `ok`. */
  testConnection(id: string, options?: RequestOptions): Call<ChannelConnectionTest> {
    return this.#api.path('/channel-connections/{id}/test', id).post(undefined, options);
  }

  /** Searches the channels of a chat system by name. */
  search(
    id: string,
    params?: ListChatChannelsParams,
    options?: RequestOptions,
  ): PageCall<ChatChannel> {
    return this.#api.path('/channel-connections/{id}/channels', id).list(params, options);
  }

  /** Lists the channels that are mapped to sessions of a Project. */
  list(projectId: string, options?: RequestOptions): PageCall<ChannelMapping> {
    return this.#api.path('/projects/{projectId}/channels', projectId).list(undefined, options);
  }

  /** Maps a channel to a session, or to a new one with its name. */
  create(
    projectId: string,
    params: CreateChannelMapping,
    options?: RequestOptions,
  ): Call<ChannelMapping> {
    return this.#api.path('/projects/{projectId}/channels', projectId).post(params, options);
  }

  /** Updates the given fields of a mapping. */
  update(
    projectId: string,
    id: string,
    params: UpdateChannelMapping,
    options?: RequestOptions,
  ): Call<ChannelMapping> {
    return this.#api
      .path('/projects/{projectId}/channels/{id}', projectId, id)
      .patch(params, options);
  }

  /** Unmaps a channel. Messages stay, on both sides. */
  delete(projectId: string, id: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/projects/{projectId}/channels/{id}', projectId, id).delete(options);
  }
}

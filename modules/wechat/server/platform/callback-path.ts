import type { Id } from '#kit/domain/id.ts'

/** Where the platform sends an account's messages, to be entered there. */
export const callbackPath = ({ ownerId, id }: { readonly ownerId: Id; readonly id: Id }): string =>
  `/api/wechat/callback/${ownerId}/${id}`

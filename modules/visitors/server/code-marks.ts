import type { Id } from '#kit/domain/id.ts'
import type { Tx } from '#kit/server/db.ts'
import { keyOfCredential, markCredentials } from '#modules/access/server/public.ts'
import type { InviteVisitor } from '../contract/visitor.ts'

/** Devices hear of codes that were given, changed or withdrawn. */
export const markCodes = (
  tx: Pick<Tx, 'defer'>,
  ownerId: Id,
  visitors: readonly Pick<InviteVisitor, 'projectCode' | 'inviteNo'>[],
): void => {
  for (const [projectCode, some] of Map.groupBy(visitors, row => row.projectCode)) {
    markCredentials(
      tx,
      ownerId,
      projectCode,
      some.map(({ inviteNo }) => keyOfCredential('qr', inviteNo)),
    )
  }
}

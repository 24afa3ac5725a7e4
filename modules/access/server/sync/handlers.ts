import { labelOf } from '#kit/contract/field.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { refuse } from '#kit/contract/wire.ts'
import { hasPermission } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import {
  findDeviceItems,
  isSecretKey,
  maskedItemKey,
  maskSecret,
  resendItems,
  type ShownItem,
} from '#modules/devices/server/public.ts'
import { cardPermissions } from '#modules/residents/contract/card.ts'
import { maskName } from '#modules/residents/server/public.ts'
import { credentialKind } from '../../contract/choices.ts'
import { doorwayDevice } from '../../contract/doorway-device.ts'
import { listDoorwayItems, recomputeProject, resendDoorwayItems } from '../../contract/sync.ts'
import { credentialSources } from '../reach/credential-source.ts'
import { markProjects } from './dirty.ts'

const defaultSize = 20

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** `卡 1234`, `二维码 ******19（由服务器核验）`, `人脸`, `门参数`. */
function contentOf({ itemKey, data }: ShownItem): string {
  const kind = credentialSources().find(source => itemKey.startsWith(`${source.kind}:`))?.kind
  if (kind === undefined) return itemKey === 'settings' ? '门参数' : itemKey
  const number = textOf(data?.number) ?? (kind === 'card' ? itemKey.slice(kind.length + 1) : '')
  // Not in the controller, and nothing is missing there (VIS-2).
  const how = data?.countedRights === undefined ? '' : '（由服务器核验）'
  return `${labelOf(credentialKind, kind)} ${isSecretKey(itemKey) ? maskSecret(number) : number}`.trim() + how
}

const shownRow = (row: ShownItem) => ({
  ...row,
  content: contentOf(row),
  holderName: textOf(row.data?.name),
})

/** For who looks after devices, not after cards: enough to tell items apart and to send them again. */
function maskedRow(row: ShownItem) {
  const { holderName, ...shown } = shownRow(row)
  const [, number] = /^card:(.+)$/.exec(row.itemKey) ?? []
  return {
    ...shown,
    itemKey: maskedItemKey(row),
    content:
      number === undefined ? shown.content : `${labelOf(credentialKind, 'card')} ${maskSecret(number)}`,
    holderName: holderName && maskName(holderName),
  }
}

export const syncHandlers = [
  reads(
    listDoorwayItems,
    async ({ id, isUnsynced, keyword, page = 1, size = defaultSize }, { db, scope }) => {
      const { deviceId } = await requireById(db, doorwayDevice, scope, id)
      const canSeeCards = hasPermission(scope, cardPermissions.view)
      const isWholeWord = !canSeeCards
      const query = { deviceId, isUnsynced, keyword, isWholeWord, size, offset: (page - 1) * size }
      const { total, rows } = await findDeviceItems(db, scope.ownerId, query)
      return {
        total,
        rows: rows.map(row => (canSeeCards ? shownRow(row) : maskedRow(row))),
      }
    },
  ),
  writes(resendDoorwayItems, async ({ id, keys }, { tx, scope }) => {
    const { deviceId } = await requireById(tx, doorwayDevice, scope, id)
    const sent = await resendItems(tx, scope, deviceId, keys)
    if (!sent && keys?.length) return refuse('设备没有这些下发项，请刷新后重新选择')
  }),
  writes(recomputeProject, async ({ projectCode }, { tx, scope }) =>
    markProjects(tx, scope.ownerId, [projectCode]),
  ),
]

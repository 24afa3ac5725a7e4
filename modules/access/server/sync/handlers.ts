import { labelOf } from '#kit/contract/field.ts'
import { reads, writes } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import {
  findDeviceItems,
  isSecretKey,
  maskSecret,
  resendItems,
  type ShownItem,
} from '#modules/devices/server/public.ts'
import { credentialKind } from '../../contract/choices.ts'
import { doorwayDevice } from '../../contract/doorway-device.ts'
import { listDoorwayItems, recomputeProject, resendDoorwayItems } from '../../contract/sync.ts'
import { credentialSources } from '../reach/credential-source.ts'
import { markProjects } from './dirty.ts'

const defaultSize = 20

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** `卡 1234`, `二维码 ******19`, `人脸`, `门参数`. */
function contentOf({ itemKey, data }: ShownItem): string {
  const kind = credentialSources().find(source => itemKey.startsWith(`${source.kind}:`))?.kind
  if (kind === undefined) return itemKey === 'settings' ? '门参数' : itemKey
  const number = textOf(data?.number) ?? (kind === 'card' ? itemKey.slice(kind.length + 1) : '')
  return `${labelOf(credentialKind, kind)} ${isSecretKey(itemKey) ? maskSecret(number) : number}`.trim()
}

export const syncHandlers = [
  reads(
    listDoorwayItems,
    async ({ id, isUnsynced, keyword, page = 1, size = defaultSize }, { db, scope }) => {
      const { deviceId } = await requireById(db, doorwayDevice, scope, id)
      const query = { deviceId, isUnsynced, keyword, size, offset: (page - 1) * size }
      const { total, rows } = await findDeviceItems(db, scope.ownerId, query)
      return {
        total,
        rows: rows.map(row => ({ ...row, content: contentOf(row), holderName: textOf(row.data?.name) })),
      }
    },
  ),
  writes(resendDoorwayItems, async ({ id, keys }, { tx, scope }) => {
    const { deviceId } = await requireById(tx, doorwayDevice, scope, id)
    await resendItems(tx, scope, deviceId, keys)
  }),
  writes(recomputeProject, async ({ projectCode }, { tx, scope }) =>
    markProjects(tx, scope.ownerId, [projectCode]),
  ),
]

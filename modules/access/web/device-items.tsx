import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { toast } from '#kit/web/toast.ts'
import type { DoorwayDevice } from '../contract/doorway-device.ts'
import { listDoorwayItems, resendDoorwayItems } from '../contract/sync.ts'
import { menu } from '../module.ts'

const columns = buildColumns(listDoorwayItems.output, [
  { key: 'content', identity: true, width: 130, grow: 1 },
  { key: 'holderName', width: 110 },
  { key: 'action', hidePriority: 3 },
  'state',
  { key: 'reason', width: 160, grow: 2 },
  { key: 'attempts', hidePriority: 2 },
  { key: 'nextTime', hidePriority: 2 },
  { key: 'syncTime', hidePriority: 3 },
]).map(withoutSorting)

const views = [
  { id: '', name: '未同步', filter: { isUnsynced: true } },
  { id: 'all', name: '全部', filter: {} },
]

/** What a device of a door is to hold, what of it is not there, and why (ACS-3). */
export function DeviceItems({ device }: { readonly device: DoorwayDevice }) {
  const resend = async (keys: readonly string[]): Promise<void> => {
    await sendAndInvalidate(resendDoorwayItems, { id: device.id, keys })
    toast.success(`已重新下发 ${keys.length} 项`)
  }
  const needs = menu.sync.permissions.resend
  return (
    <ListPage
      embedded
      list={listDoorwayItems}
      itemName="下发项"
      fixedFilter={{ id: device.id }}
      filters={[]}
      views={views}
      columns={columns}
      keyOf={row => row.itemKey}
      keywordPlaceholder="卡号、姓名"
      settingsKey="access/items-of-device"
      rowActions={row => [{ label: '重新下发', needs, run: () => resend([row.itemKey]) }]}
      batchActions={[
        {
          label: '重新下发',
          needs,
          run: selected => resend(selected.rows.map(row => row.itemKey)),
        },
      ]}
    />
  )
}

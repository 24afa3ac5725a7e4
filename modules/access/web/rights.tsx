import { useState } from 'react'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { usePermission } from '#kit/web/session.ts'
import type { Holder } from '#modules/residents/web/public.holder-rights.ts'
import type { Doorway } from '../contract/doorway.ts'
import { listRights } from '../contract/reach.ts'
import { menu } from '../module.ts'
import { CheckDialog } from './check-dialog.tsx'
import { OwnLinksButton } from './own-links.tsx'
import { UnsyncedNotice } from './unsynced-notice.tsx'
import './access.css'

const columns = buildColumns(listRights.output, [
  { key: 'holderName', identity: true, width: 110 },
  { key: 'doorwayName', width: 140, grow: 1 },
  { key: 'kind', width: 64 },
  { key: 'number', width: 110, hidePriority: 2 },
  { key: 'reason', width: 220, grow: 2 },
  { key: 'fromDate', hidePriority: 3 },
  { key: 'untilDate', text: row => row.untilDate ?? '长期', render: row => row.untilDate ?? '长期' },
  { key: 'windows', width: 140, grow: 1, hidePriority: 1 },
]).map(withoutSorting)

const without = (key: string) => columns.filter(column => column.key !== key)

/** Who reaches a door and why; whether a card opens it now. */
export function DoorwayRights({ doorway }: { readonly doorway: Doorway }) {
  const [isChecking, setChecking] = useState(false)
  return (
    <>
      <ListPage
        embedded
        list={listRights}
        itemName="通行权限"
        fixedFilter={{ doorwayId: doorway.id }}
        filters={[]}
        columns={without('doorwayName')}
        keyOf={row => row.id}
        keywordPlaceholder="姓名、卡号"
        settingsKey="access/rights-of-doorway"
        toolbarActions={[
          {
            label: '通行检查',
            needs: menu.doorway.permissions.reach,
            run: () => setChecking(true),
          },
        ]}
      />
      {isChecking && <CheckDialog doorway={doorway} onClose={() => setChecking(false)} />}
    </>
  )
}

const HolderDoorways = ({ holder }: { readonly holder: Holder }) => (
  <ListPage
    embedded
    list={listRights}
    itemName="通行权限"
    fixedFilter={holder}
    filters={[]}
    columns={without('holderName')}
    keyOf={row => row.id}
    keywordPlaceholder="门、卡号"
    settingsKey="access/rights-of-holder"
  />
)

/** What devices lack of somebody's credentials, or still have; which doors they open, and why. */
export function HolderRights({ holder }: { readonly holder: Holder }) {
  const hasPermission = usePermission()
  const seesDoorways = hasPermission(menu.doorway.permissions.reach)
  const passesLinks = hasPermission(menu.passCode.permissions.link)
  return (
    <>
      {passesLinks && holder.userId !== undefined && <OwnLinksButton userId={holder.userId} />}
      <UnsyncedNotice holder={holder} doneText={seesDoorways ? undefined : '设备上的凭证均已更新'} />
      {seesDoorways && <HolderDoorways holder={holder} />}
    </>
  )
}

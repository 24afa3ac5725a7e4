import { useState } from 'react'
import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import type { Elevator } from '../contract/elevator.ts'
import { listFloorRights } from '../contract/right.ts'
import { menu } from '../module.ts'
import { CheckDialog } from './check-dialog.tsx'

const columns = buildColumns(listFloorRights.output, [
  { key: 'holderName', identity: true, width: 110 },
  { key: 'kind', width: 64 },
  { key: 'number', width: 110, hidePriority: 2 },
  { key: 'floors', width: 140, grow: 1 },
  { key: 'reason', width: 200, grow: 2 },
  { key: 'fromDate', hidePriority: 3 },
  { key: 'untilDate', text: row => row.untilDate ?? '长期', render: row => row.untilDate ?? '长期' },
  { key: 'windows', width: 140, grow: 1, hidePriority: 1 },
]).map(withoutSorting)

/** Who goes to which floors of a lift and why; whether a card goes to one now. */
export function LiftRights({ lift }: { readonly lift: Elevator }) {
  const [isChecking, setChecking] = useState(false)
  return (
    <>
      <ListPage
        embedded
        list={listFloorRights}
        itemName="楼层权限"
        fixedFilter={{ elevatorId: lift.id }}
        filters={[]}
        columns={columns}
        keyOf={row => row.id}
        keywordPlaceholder="姓名、卡号"
        settingsKey="elevators/rights-of-lift"
        toolbarActions={[
          { label: '乘梯检查', needs: menu.right.permissions.reach, run: () => setChecking(true) },
        ]}
      />
      {isChecking && <CheckDialog lift={lift} onClose={() => setChecking(false)} />}
    </>
  )
}

import { useSearchParams } from 'react-router'
import { parseId } from '#kit/domain/id.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { serverNow } from '#kit/web/server-clock.ts'
import type { Elevator } from '../contract/elevator.ts'
import { exportMaintenances, maintenances } from '../contract/maintenance.ts'
import { paths } from '../module.ts'

const photos = { key: 'photos', control: imagesControl, wide: true } as const

const workKeys = [
  'maintainType',
  'planDate',
  'doneTime',
  'worker',
  'result',
  'nextDate',
  'confirmStaffId',
  { key: 'content', wide: true },
  photos,
] as const

/** Done just now, at the lift that the address names. */
function useInitial() {
  const [query] = useSearchParams()
  const elevatorId = parseId(query.get('elevatorId') ?? '')
  return { doneTime: fromInstant(serverNow()), ...(elevatorId ? { elevatorId } : {}) }
}

/** 电梯维保: maintenance, repairs and yearly inspections that have been done. */
export const pages = crudPages(maintenances, {
  export: exportMaintenances,
  paths: { list: paths.maintenance, add: paths.maintenanceAdd },
  unit: '条维保记录',
  columns: [
    { key: 'elevatorName', identity: true, grow: 1 },
    'maintainType',
    'doneTime',
    { key: 'worker', hidePriority: 1 },
    { key: 'planDate', hidePriority: 2 },
    { key: 'confirmStaffName', hidePriority: 2 },
    'result',
  ],
  detail: [
    {
      title: '维保',
      keys: [
        'elevatorName',
        'maintainType',
        'planDate',
        'doneTime',
        'worker',
        'result',
        'nextDate',
        'confirmStaffName',
        'content',
      ],
    },
    { title: '照片', keys: ['photos'] },
  ],
  form: { opensNew: false, useInitial, groups: [{ keys: ['elevatorId', ...workKeys] }] },
  list: { barFilters: ['elevatorId', 'maintainType', 'result'], keywordPlaceholder: '维保人员' },
})

/** Those of one lift, in its drawer. */
export const LiftMaintenance = ({ lift }: { readonly lift: Elevator }) => (
  <CrudList
    model={pages.model}
    list={{
      embedded: true,
      fixedFilter: { elevatorId: [String(lift.id)] },
      filters: [],
      primaryAction: undefined,
      settingsKey: 'elevators/maintenance-of-lift',
    }}
  />
)

import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import type { Doorway } from '../contract/doorway.ts'
import { publicTimes, type PublicTime } from '../contract/public-time.ts'

const timeText = ({ beginTime, endTime }: PublicTime): string =>
  `${beginTime} ~ ${endTime <= beginTime ? '次日 ' : ''}${endTime}`

const formKeys = ['weekDays', 'beginTime', 'endTime', 'effectiveFrom', 'effectiveTo'] as const

const { model } = crudPages(publicTimes, {
  unit: '个常开时段',
  nameOf: row => `${row.doorwayName ?? ''} ${timeText(row)}`,
  deletion: { reasons: ['录入有误', '不再常开'] },
  columns: [
    { key: 'doorwayName', identity: true, grow: 1 },
    { key: 'weekDays', grow: 1 },
    { key: 'beginTime', title: '时间', width: 150, text: timeText, render: timeText },
    { key: 'effectiveFrom', hidePriority: 1 },
    {
      key: 'effectiveTo',
      hidePriority: 1,
      text: row => row.effectiveTo ?? '长期',
      render: row => row.effectiveTo ?? '长期',
    },
  ],
  form: {
    presentation: 'dialog',
    groups: [
      { keys: [{ key: 'doorwayId', wide: true }, { key: 'weekDays', wide: true }, ...formKeys.slice(1)] },
    ],
  },
})

/** 常开时段: when doors are free for all (ACS-7). */
export const PublicTimes = () => (
  <CrudList model={model} list={{ embedded: true, pageSize: 15, barFilters: ['doorwayId'] }} />
)

/** Those of one door, in its drawer. */
export const DoorwayTimes = ({ doorway }: { readonly doorway: Doorway }) => (
  <CrudList
    model={model}
    initial={{ projectCode: doorway.projectCode, doorwayId: doorway.id }}
    groups={[{ keys: [{ key: 'weekDays', wide: true }, ...formKeys.slice(1)] }]}
    list={{
      embedded: true,
      fixedFilter: { doorwayId: [String(doorway.id)] },
      filters: [],
      settingsKey: 'access/times-of-door',
    }}
  />
)

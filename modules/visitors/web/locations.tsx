import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { visitorLocations } from '../contract/location.ts'

const { model } = crudPages(visitorLocations, {
  unit: '个门岗',
  deletion: { reasons: ['录入有误', '已撤销'] },
  columns: [
    { key: 'locationName', identity: true, grow: 1 },
    'phone',
    { key: 'remark', grow: 1, hidePriority: 1 },
    'state',
  ],
  form: {
    presentation: 'dialog',
    groups: [
      {
        keys: [
          'locationName',
          'phone',
          { key: 'doorwayIds', wide: true },
          { key: 'remark', wide: true },
          'state',
        ],
      },
    ],
  },
})

/** 门岗: where visitors are received. */
export const Locations = () => (
  <CrudList model={model} list={{ embedded: true, pageSize: 15, barFilters: ['state'] }} />
)

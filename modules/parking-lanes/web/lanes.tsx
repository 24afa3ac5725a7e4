import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { parkLanes } from '../contract/park-lane.ts'

const { model } = crudPages(parkLanes, {
  unit: '个车道',
  deletion: {
    consequences: ['有从该车道入场的车辆在场时不能删除；不再使用请停用'],
    reasons: ['录入有误', '车道拆除'],
  },
  columns: [
    { key: 'laneName', identity: true, grow: 1 },
    'parkName',
    'direction',
    { key: 'laneType', hidePriority: 1 },
    { key: 'carKinds', grow: 1, hidePriority: 2 },
    { key: 'boothName', hidePriority: 2 },
    { key: 'deviceNo', hidePriority: 2 },
    'state',
  ],
  form: {
    groups: [
      {
        keys: ['parkId', 'laneName', 'direction', 'laneType', 'carKinds', 'boothName', 'deviceNo', 'state'],
      },
      { keys: [{ key: 'remark', wide: true }] },
    ],
  },
})

/** 车道: barriers with their cameras, by car park. */
export const Lanes = () => (
  <CrudList
    model={model}
    list={{ embedded: true, pageSize: 15, barFilters: ['parkId', 'direction', 'state'] }}
  />
)

import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { exportValidations, listValidations } from '../contract/visit.ts'

const columns = buildColumns(listValidations.output, [
  'validTime',
  { key: 'visitorName', identity: true },
  'direction',
  'result',
  { key: 'reason', grow: 2 },
  { key: 'locationName', hidePriority: 1 },
  { key: 'doorwayName', hidePriority: 1 },
  { key: 'guardName', hidePriority: 2 },
])

/** 核验记录: codes that were shown at gates, and what they were worth. */
export const Validations = () => (
  <ListPage
    embedded
    list={listValidations}
    itemName="核验记录"
    columns={columns}
    filters={['result', 'direction', 'validTime', 'locationId']}
    barFilters={['result', 'direction', 'validTime']}
    pageSize={15}
    settingsKey="visitors/validations"
    export={exportValidations}
  />
)

import { buildColumns, withoutSorting } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listEstates } from '../contract/setting.ts'

const columns = buildColumns(listEstates.output, [
  { key: 'estateName', identity: true, grow: 1 },
  'ruleCount',
  'locationCount',
  'expectedCount',
  'insideCount',
]).map(withoutSorting)

/** 各项目情况: how far each project is set up for visitors, and what it has today. */
export const Estates = () => (
  <ListPage
    embedded
    list={listEstates}
    itemName="项目"
    keyOf={row => row.projectCode ?? ''}
    keywordPlaceholder="项目名称"
    filters={[]}
    columns={columns}
    settingsKey="visitors/estates"
  />
)

import type { Id } from '#kit/domain/id.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listResidencyLog } from '../contract/residency.ts'

const listColumns = buildColumns(listResidencyLog.output, [
  'day',
  { key: 'userName', identity: true },
  'roomPath',
  'relation',
  'action',
  { key: 'detail', hidePriority: 1 },
  { key: 'reason', hidePriority: 1 },
  'operatorName',
  { key: 'createTime', title: '登记时间', hiddenByDefault: true },
])

const views = [
  { id: '', name: '全部变动', filter: {} },
  { id: 'in', name: '入住', filter: { action: ['movedIn', 'backIn', 'boughtIn'] } },
  { id: 'out', name: '迁出', filter: { action: ['movedOut', 'soldOut'] } },
  { id: 'audit', name: '审核', filter: { action: ['applied', 'passed', 'refused', 'again'] } },
]

/** Who came, went and became what. */
export const ResidencyLogList = ({ userId }: { readonly userId?: Id }) => (
  <ListPage
    {...(userId ? { embedded: true, fixedFilter: { userId } } : {})}
    list={listResidencyLog}
    itemName="变动"
    {...(userId ? {} : { keywordPlaceholder: '姓名/手机/房间/拼音' })}
    settingsKey={userId ? 'residents/own-moves' : 'residents/moves'}
    columns={listColumns}
    barFilters={['action', 'day']}
    views={views}
  />
)

export const ResidencyLogPage = () => <ResidencyLogList />

import { columns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { listMovements } from '../contract/residency.ts'

const shown = columns(listMovements.output, [
  'day',
  { key: 'userName', identity: true },
  'roomPath',
  'relation',
  'action',
  { key: 'detail', drop: 1 },
  { key: 'reason', drop: 1 },
  'operatorName',
  { key: 'createTime', title: '登记时间', aside: true },
])

const views = [
  { id: '', name: '全部变动', filter: {} },
  { id: 'in', name: '入住', filter: { action: ['movedIn', 'backIn', 'boughtIn'] } },
  { id: 'out', name: '迁出', filter: { action: ['movedOut', 'soldOut'] } },
  { id: 'audit', name: '审核', filter: { action: ['applied', 'passed', 'refused', 'again'] } },
]

/** Who came, went and became what. */
export const Movements = ({ userId }: { readonly userId?: number }) => (
  <ListPage
    {...(userId ? { embedded: true, fixed: { userId } } : {})}
    list={listMovements}
    what="变动"
    {...(userId ? {} : { sought: '姓名/手机/房间/拼音' })}
    name={userId ? 'residents/own-moves' : 'residents/moves'}
    columns={shown}
    bar={['action', 'day']}
    views={views}
  />
)

export const MovementsPage = () => <Movements />

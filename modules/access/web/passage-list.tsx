import { buildColumns } from '#kit/web/columns.tsx'
import type { DetailGroup } from '#kit/web/detail/detail-panel.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Status } from '#kit/web/status.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { useLiveRefetch } from '#kit/web/use-live-refetch.ts'
import type { Doorway } from '../contract/doorway.ts'
import { exportPassages, listPassages, type Passage } from '../contract/passage.ts'
import { livePassages } from './live-source.ts'
import { personText } from './passage-text.ts'

const pictureSize = 28

const columns = buildColumns(listPassages.output, [
  { key: 'personName', identity: true, width: 110, grow: 1, text: personText, render: personText },
  { key: 'recordTime', width: 150 },
  { key: 'doorwayName', width: 140, grow: 1 },
  'openMethod',
  'openStatus',
  { key: 'direction', hidePriority: 2 },
  { key: 'personKind', hidePriority: 2 },
  { key: 'roomPath', width: 150, grow: 1, hidePriority: 3 },
  { key: 'cardNo', width: 110, hidePriority: 3 },
  { key: 'plateNo', width: 100, hidePriority: 4, wideOnly: true },
  { key: 'reason', width: 140, grow: 1, hidePriority: 1 },
  {
    key: 'picture',
    width: 64,
    text: row => (row.picture === undefined ? '' : '有'),
    render: row =>
      row.picture !== undefined && (
        <StoredImages fileKeys={[row.picture]} openOn="double" size={pictureSize} />
      ),
  },
])

const groups: readonly DetailGroup<Passage>[] = [
  {
    keys: [
      'recordTime',
      'doorwayName',
      'deviceName',
      'openMethod',
      'openStatus',
      'reason',
      'direction',
      'repeats',
    ],
  },
  { title: '人员', keys: ['personKind', 'personName', 'roomPath', 'cardNo', 'plateNo', 'temperature'] },
  { title: '抓拍', keys: ['picture', 'pictureFault'] },
]

const filters = [
  'doorwayId',
  'recordTime',
  'openMethod',
  'openStatus',
  'personName',
  'cardNo',
  'plateNo',
  'personKind',
  'direction',
  'userId',
  'staffId',
]

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'refused', name: '未开', filter: { openStatus: ['refused'] } },
  { id: 'strangers', name: '陌生人', filter: { personKind: ['stranger'] } },
  { id: 'remote', name: '远程开门', filter: { openMethod: ['remote'] } },
]

/** The records of the last thirty days, unless another time is chosen. */
export function PassageList() {
  useLiveRefetch(livePassages, [listPassages])
  return (
    <ListPage
      embedded
      pageSize={20}
      list={listPassages}
      export={exportPassages}
      itemName="通行记录"
      keywordPlaceholder="姓名、完整的卡号或车牌"
      columns={columns}
      filters={filters}
      barFilters={['doorwayId', 'openMethod', 'recordTime']}
      views={views}
      settingsKey="access/passages"
      drawer={{
        title: personText,
        status: row => (
          <Status tone={row.openStatus === 'opened' ? 'done' : 'bad'}>
            {row.openStatus === 'opened' ? '已开' : '未开'}
          </Status>
        ),
        groups,
      }}
    />
  )
}

const ofDoorway = columns.filter(column => column.key !== 'doorwayName')

/** Those of one door, in its drawer. */
export const DoorwayPassages = ({ doorway }: { readonly doorway: Doorway }) => (
  <ListPage
    embedded
    list={listPassages}
    itemName="通行记录"
    keywordPlaceholder="姓名、完整的卡号或车牌"
    fixedFilter={{ doorwayId: [String(doorway.id)] }}
    columns={ofDoorway}
    filters={['recordTime', 'openMethod', 'openStatus']}
    barFilters={['recordTime', 'openStatus']}
    settingsKey="access/passages-of-door"
  />
)

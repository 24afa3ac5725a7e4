import { keysOf, labelOf } from '#kit/contract/field.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { noticeChannel, noticeReceipt } from '../contract/choices.ts'
import { getNoticeReach, type PublicNotice } from '../contract/notice.ts'
import { exportReceivers, noticeReceivers } from '../contract/receiver.ts'
import { noticeVersions, type NoticeVersion } from '../contract/version.ts'
import { NoticeContent } from './notice-content.tsx'

export interface OfNotice {
  readonly notice: PublicNotice
}

const receiverColumns = buildColumns(noticeReceivers.list.output, [
  { key: 'personName', identity: true, width: 120 },
  { key: 'roomPath', grow: 1 },
  { key: 'receipt', width: 88 },
  { key: 'readTime', width: 150 },
  { key: 'confirmTime', width: 150, hidePriority: 1 },
  { key: 'remindTime', width: 150, hidePriority: 2 },
])

const receiptViews = [
  { id: '', name: '全部', filter: {} },
  ...keysOf(noticeReceipt).map(key => ({
    id: key,
    name: labelOf(noticeReceipt, key),
    filter: { receipt: [key] },
  })),
]

export const Content = ({ notice }: OfNotice) => <NoticeContent of={notice} />

/** Who of which room has read it, confirmed it, was reminded, and when. */
export const Receivers = ({ notice: { id } }: OfNotice) => (
  <ListPage
    embedded
    pageSize={15}
    list={noticeReceivers.list}
    itemName="接收人"
    columns={receiverColumns}
    views={receiptViews}
    fixedFilter={{ noticeId: id, noticeKind: ['public'] }}
    filters={['receipt', 'receiverKind']}
    barFilters={[]}
    export={exportReceivers}
  />
)

/** How far it went by each channel. */
export function Reach({ notice: { id, needConfirm } }: OfNotice) {
  const reach = useCall(getNoticeReach, { id }, { quiet: true, staleMs: 0 })
  return (
    <Loaded query={reach} height={200} rows={5}>
      {({ scopeText, totalCount, readCount, confirmedCount, remindedCount, channels }) => (
        <div className="notice-reach">
          <p>发送范围：{scopeText}</p>
          <p>
            应达 {formatCount(totalCount)} 人，已读 {formatCount(readCount)} 人
            {needConfirm && `，已确认 ${formatCount(confirmedCount)} 人`}，已提醒 {formatCount(remindedCount)}{' '}
            人
          </p>
          {channels.length > 0 && (
            <table>
              <thead>
                <tr>
                  {['渠道', '待发送', '已提交', '已送达', '失败', '拒收'].map(title => (
                    <th scope="col" key={title}>
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {channels.map(({ channel, isReminder, queued, sent, delivered, failed, refused }) => (
                  <tr key={`${channel} ${isReminder}`}>
                    <td>
                      {labelOf(noticeChannel, channel)}
                      {isReminder && '提醒'}
                    </td>
                    <td>{formatCount(queued)}</td>
                    <td>{formatCount(sent)}</td>
                    <td>{formatCount(delivered)}</td>
                    <td>{formatCount(failed)}</td>
                    <td>{formatCount(refused)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </div>
      )}
    </Loaded>
  )
}

const versionColumns = buildColumns(noticeVersions.list.output, [
  { key: 'versionNo', identity: true, width: 80 },
  { key: 'title', grow: 1 },
  { key: 'editorName', width: 100 },
  { key: 'replacedTime', width: 150 },
])

/** What it read before each change. */
export const Versions = ({ notice: { id } }: OfNotice) => (
  <ListPage
    embedded
    pageSize={15}
    list={noticeVersions.list}
    itemName="版本"
    columns={versionColumns}
    fixedFilter={{ noticeId: [String(id)] }}
    filters={[]}
    barFilters={[]}
    drawer={{
      width: 640,
      title: (version: NoticeVersion) => `${version.title}（第 ${version.versionNo} 版）`,
      loadCall: noticeVersions.get,
      groups: [{ keys: ['versionNo', 'editorName', 'replacedTime'] }],
      afterGroups: version => <NoticeContent of={version} />,
    }}
  />
)

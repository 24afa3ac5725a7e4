import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useAddressValue } from '#kit/web/address-value.ts'
import { Loaded } from '#kit/web/loaded.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import { useCall } from '#kit/web/query.ts'
import { Status } from '#kit/web/status.tsx'
import { listOwnNotices, type OwnNotice } from '../contract/notice.ts'
import { paths } from '../module.ts'
import { PortalPart } from './home-entries.tsx'

const shownAtFirst = 8
const shownMore = 20

const ReceiptStatus = ({ notice: { isImportant, isWaiting, receipt } }: { readonly notice: OwnNotice }) => {
  if (!isWaiting)
    return (
      <Status tone="off" plain>
        {isImportant ? '已阅' : '已读'}
      </Status>
    )
  return (
    <Status tone="todo" plain>
      {receipt === 'unread' ? '未读' : '待确认'}
    </Status>
  )
}

const NoticeLine = ({ notice }: { readonly notice: OwnNotice }) => (
  <li data-waiting={notice.isWaiting}>
    <Link to={`${paths.notice}?id=${notice.id}`}>
      {notice.isImportant && <Status tone="bad">重要</Status>}
      <span className="title">{notice.title}</span>
      <small>
        {notice.publisherName} · {notice.publishTime?.slice(0, 16)}
      </small>
      <ReceiptStatus notice={notice} />
    </Link>
  </li>
)

/** The notices that this person receives: those that wait for reading, or all of them. */
export function OwnNotices() {
  const [waiting, setWaiting] = useAddressValue('waiting')
  const [size, setSize] = useState(shownAtFirst)
  const onlyWaiting = waiting === '1'
  const own = useCall(
    listOwnNotices,
    { page: 1, size, ...(onlyWaiting ? { waiting: true } : {}) },
    { quiet: true, keepPrevious: true },
  )
  const unread = useCall(listOwnNotices, { page: 1, size: 1, waiting: true }, { quiet: true })
  const count = unread.data?.total ?? 0
  return (
    <PortalPart
      title="内部公告"
      emptyText={onlyWaiting ? '暂无待阅公告' : '暂无公告'}
      isEmpty={own.data?.total === 0}
      extra={
        <Segmented
          size="small"
          aria-label="公告范围"
          value={onlyWaiting ? '1' : ''}
          options={[
            { value: '', label: '全部' },
            { value: '1', label: count ? `待阅 ${formatCount(count)}` : '待阅' },
          ]}
          onChange={value => setWaiting(value || undefined)}
        />
      }
    >
      <Loaded query={own} height={360} rows={shownAtFirst} width={[240, 120]} keepsAnswer>
        {({ rows, total }) => (
          <>
            <ul className="portal-notices">
              {rows.map(notice => (
                <NoticeLine key={notice.id} notice={notice} />
              ))}
            </ul>
            {total > rows.length && (
              <Button type="link" onClick={() => setSize(size + shownMore)}>
                更多公告（共 {formatCount(total)} 条）
              </Button>
            )}
          </>
        )}
      </Loaded>
    </PortalPart>
  )
}

import { useState } from 'react'
import { Link } from 'react-router'
import { labelOf } from '#kit/contract/field.ts'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import {
  backToHome,
  missingResidentToken,
  residentAddressOf,
  ResidentFrame,
  ResidentPlaceholder,
  useResidentAddress,
  type ResidentAddress,
} from '#modules/resident-page/web/public.resident-frame.tsx'
import { noticeType } from '../contract/choices.ts'
import { clickAdvertisement, homeNotices, type HomeNoticeLine } from '../contract/home.ts'
import { paths } from '../module.ts'
import './resident.css'

const title = '公告'

interface LineProps {
  readonly line: HomeNoticeLine
  readonly address: ResidentAddress
}

const NoticeLine = ({ line, address }: LineProps) => (
  <li>
    <Link to={residentAddressOf(`${paths.residentNotice}?kind=${line.kind}&id=${line.id}`, address)}>
      <b className={line.receipt === 'unread' ? 'new' : undefined}>{line.title}</b>
      <small>
        {line.isTop && '置顶 · '}
        {line.noticeType ? labelOf(noticeType, line.noticeType) : '通知'} · {line.publishTime.slice(0, 16)}
        {line.needConfirm && line.receipt !== 'confirmed' && ' · 待确认'}
      </small>
    </Link>
  </li>
)

type Page = NonNullable<typeof homeNotices.output.T>

/** Pictures that lead to the address of an advertiser; a click counts, and waits for nothing. */
const Advertisements = ({ page, address }: { readonly page: Page; readonly address: ResidentAddress }) => (
  <ul className="notice-ads" aria-label="广告">
    {page.advertisements.map(({ id, title: name, mediaUrl, linkUrl }) => (
      <li key={id}>
        <small>广告</small>
        {linkUrl === undefined ? (
          <img src={mediaUrl} alt={name} loading="lazy" />
        ) : (
          <a
            href={linkUrl}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() =>
              void send(clickAdvertisement, { ...address, advertisementId: id }, { quiet: true }).catch(
                () => undefined,
              )
            }
          >
            <img src={mediaUrl} alt={name} loading="lazy" />
          </a>
        )}
      </li>
    ))}
  </ul>
)

interface MoreProps {
  readonly address: ResidentAddress
  readonly number: number
  readonly onMore: () => void
  readonly isLast: boolean
}

/** One page of the list after the first. */
function NextPage({ address, number, onMore, isLast }: MoreProps) {
  const next = useCall(homeNotices, { ...address, page: number }, { quiet: true, project: 0 })
  if (!next.data) return null
  return (
    <>
      {next.data.notices.map(line => (
        <NoticeLine key={`${line.kind} ${line.id}`} line={line} address={address} />
      ))}
      {isLast && next.data.hasMore && <MoreButton onMore={onMore} />}
    </>
  )
}

const MoreButton = ({ onMore }: { readonly onMore: () => void }) => (
  <li>
    <button type="button" className="big" onClick={onMore}>
      更多公告
    </button>
  </li>
)

function OpenedNotices({ address }: { readonly address: ResidentAddress }) {
  const first = useCall(homeNotices, { ...address, page: 1 }, { quiet: true, project: 0, staleMs: 0 })
  const [last, setLast] = useState(1)
  const page = first.data
  if (!page)
    return <ResidentPlaceholder title={title} error={first.error} onRetry={() => void first.refetch()} />
  const more = (): void => setLast(last + 1)
  return (
    <ResidentFrame title={title} note={page.estateName} back={backToHome(address)}>
      <main>
        {page.notices.length ? (
          <ul className="cards">
            {page.notices.map(line => (
              <NoticeLine key={`${line.kind} ${line.id}`} line={line} address={address} />
            ))}
            {last === 1 && page.hasMore && <MoreButton onMore={more} />}
            {Array.from({ length: last - 1 }, (_, i) => (
              <NextPage key={i + 2} address={address} number={i + 2} onMore={more} isLast={last === i + 2} />
            ))}
          </ul>
        ) : (
          <p className="empty">暂无公告</p>
        )}
        {page.advertisements.length > 0 && <Advertisements page={page} address={address} />}
      </main>
    </ResidentFrame>
  )
}

/** 公告: what a resident may read, by the link of the resident. */
export default function ResidentNotices() {
  const address = useResidentAddress()
  if (!address.token) return <ResidentPlaceholder title={title} error={missingResidentToken} />
  return <OpenedNotices address={address} key={residentAddressOf('', address)} />
}

import { Link, useNavigate } from 'react-router'
import { saveStored } from '#kit/web/browser-store.ts'
import { Icon, type IconName } from '#kit/web/icons.tsx'
import type { PartIcon } from '../contract/choices.ts'
import type { HomePage } from '../contract/home.ts'
import { paths } from '../module.ts'
import { residentAddressOf, ResidentFrame, residentTokenName } from './public.resident-frame.tsx'

const drawingOf = {
  notice: 'bell',
  activity: 'internal',
  matter: 'work',
  bill: 'fee',
  repair: 'service',
  visitor: 'ticket',
  access: 'access',
  parking: 'site',
  other: 'more',
} as const satisfies Record<PartIcon, IconName>

type Part = HomePage['parts'][number]

const PartLink = ({ part }: { readonly part: Part }) => (
  <Link to={part.url}>
    <Icon name={drawingOf[part.icon]} size={28} />
    <b>{part.title}</b>
    {part.note !== undefined && <small>{part.note}</small>}
    {part.count !== undefined && part.count > 0 && (
      <span className="badge" aria-label={`${part.count} 项待处理`}>
        {part.count > 99 ? '99+' : part.count}
      </span>
    )}
  </Link>
)

const Recent = ({ items }: { readonly items: HomePage['items'] }) => (
  <ul className="cards" aria-label="最近">
    {items.map(({ title, note, url, isNew }) => (
      <li key={url}>
        <Link to={url}>
          <b className={isNew ? 'new' : ''}>
            {title}
            {isNew && <span className="aloud">（未读）</span>}
          </b>
          {note !== undefined && <small>{note}</small>}
        </Link>
      </li>
    ))}
  </ul>
)

function HomeSelect({ page, token }: { readonly page: HomePage; readonly token: string }) {
  const navigate = useNavigate()
  return (
    <select
      aria-label="住处"
      value={page.homeKey}
      onChange={event =>
        void navigate(residentAddressOf(paths.home, { token, home: event.target.value }), { replace: true })
      }
    >
      {page.homes.map(({ homeKey, placeName, estateName }) => (
        <option key={homeKey} value={homeKey}>
          {estateName} {placeName}
        </option>
      ))}
    </select>
  )
}

/** The phone forgets its resident: it was somebody else's. */
function SignOut() {
  const navigate = useNavigate()
  const signOut = (): void => {
    saveStored(residentTokenName, '')
    void navigate(paths.home, { replace: true })
  }
  return (
    <button type="button" className="big" onClick={signOut}>
      退出登录
    </button>
  )
}

/** The services of a resident at one of their homes, and below them what is new. */
export function HomeContent({ page, token }: { readonly page: HomePage; readonly token: string }) {
  const place = page.homes.find(({ homeKey }) => homeKey === page.homeKey)
  return (
    <ResidentFrame
      title={page.estateName}
      note={[page.personName, place?.placeName].filter(Boolean).join(' · ')}
      servicePhone={page.servicePhone}
    >
      <main>
        {page.homes.length > 1 && <HomeSelect page={page} token={token} />}
        {page.parts.length > 0 ? (
          <ul className="parts" aria-label="服务">
            {page.parts.map(part => (
              <li key={part.key}>
                <PartLink part={part} />
              </li>
            ))}
          </ul>
        ) : (
          <p className="empty">物业尚未开放线上服务，如有需要请联系物业</p>
        )}
        {page.items.length > 0 && <Recent items={page.items} />}
        <small className="company">{page.companyName}</small>
        <SignOut />
      </main>
    </ResidentFrame>
  )
}

import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useFileUrls } from '#kit/web/file-store.ts'
import { Icon } from '#kit/web/icons.tsx'
import type { PortalItem } from '../contract/home.ts'
import { paths } from '../module.ts'
import { SecureLink } from './secure-link.tsx'

interface ItemsProps {
  readonly items: readonly PortalItem[]
}

/** A part of the portal; one without anything in it says so. */
export const PortalPart = ({
  title,
  emptyText,
  isEmpty,
  extra,
  children,
}: {
  readonly title: string
  readonly emptyText: string
  readonly isEmpty: boolean
  readonly extra?: ReactNode
  readonly children: ReactNode
}) => (
  <section className="portal-part" aria-label={title}>
    <header>
      <h2>{title}</h2>
      {extra}
    </header>
    {isEmpty ? <p className="none">{emptyText}</p> : children}
  </section>
)

const Pinned = ({ item }: { readonly item: PortalItem }) =>
  item.isPinned ? (
    <span className="pinned" title="置顶">
      <Icon name="pin" size={14} />
      <span className="aloud">置顶</span>
    </span>
  ) : null

/** The picture of an entry, or the first sign of its name. */
function Face({ item: { cover, title } }: { readonly item: PortalItem }) {
  const [url] = useFileUrls(cover ? [cover] : [])
  return url ? (
    <img className="face" src={url} alt="" loading="lazy" />
  ) : (
    <i className="face" aria-hidden>
      {[...title.trim()][0]}
    </i>
  )
}

export const WebsiteTiles = ({ items }: ItemsProps) => (
  <PortalPart title="常用网站" emptyText="暂无网站" isEmpty={!items.length}>
    <ul className="portal-tiles">
      {items.map(item => (
        <li key={item.id}>
          <SecureLink to={item.linkUrl}>
            <Face item={item} />
            <span className="name" title={item.content ?? item.title}>
              {item.title}
            </span>
            <Pinned item={item} />
          </SecureLink>
        </li>
      ))}
    </ul>
  </PortalPart>
)

const EntryLines = ({ items }: ItemsProps) => (
  <ul className="portal-lines">
    {items.map(item => (
      <li key={item.id}>
        <Face item={item} />
        <div>
          <b>
            <SecureLink to={item.linkUrl}>{item.title}</SecureLink>
            <Pinned item={item} />
          </b>
          {item.category && <small>{item.category}</small>}
          <p>{item.content}</p>
        </div>
      </li>
    ))}
  </ul>
)

export const ServiceList = ({ items }: ItemsProps) => (
  <PortalPart title="内部服务" emptyText="暂无服务" isEmpty={!items.length}>
    <EntryLines items={items} />
  </PortalPart>
)

export const ProjectList = ({ items }: ItemsProps) => (
  <PortalPart title="项目介绍" emptyText="暂无项目" isEmpty={!items.length}>
    <EntryLines items={items} />
  </PortalPart>
)

export const ImageTextCards = ({ items }: ItemsProps) => (
  <PortalPart title="图文" emptyText="暂无图文" isEmpty={!items.length}>
    <ul className="portal-cards">
      {items.map(item => (
        <li key={item.id}>
          <Link to={`${paths.imageText}?id=${item.id}`}>
            <Face item={item} />
            <b>
              {item.title}
              <Pinned item={item} />
            </b>
            <p>{item.content}</p>
          </Link>
        </li>
      ))}
    </ul>
  </PortalPart>
)

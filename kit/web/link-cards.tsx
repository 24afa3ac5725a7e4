import { CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { copyText } from './copy-text.ts'
import { QrCode } from './qr-code.tsx'
import './link-cards.css'

interface CardLink {
  readonly placeName: string
  /** Whose it is, where the dialog does not name one person. */
  readonly hostName?: string | undefined
  /** None while the link is void. */
  readonly url?: string | undefined
}

interface LinkTexts {
  /** What the links are called: `通行链接`. */
  readonly linkName: string
  readonly copiedText: string
}

interface LinkCardsProps<T extends CardLink> extends LinkTexts {
  readonly links: readonly T[]
  /** What may be done to a link beside copying it. */
  readonly actionsOf?: (link: T) => ReactNode
}

interface CopyProps extends Pick<LinkTexts, 'copiedText'> {
  readonly address: string
}

const CopyButton = ({ address, copiedText }: CopyProps) => (
  <Button
    icon={<CopyOutlined />}
    onClick={() =>
      void copyText(address, {
        done: copiedText,
        refused: '浏览器不允许复制，请选中链接后按 Ctrl C',
      })
    }
  >
    复制链接
  </Button>
)

/** The links of somebody outside the shell: each as a code to scan, as text, and to copy. */
export const LinkCards = <T extends CardLink>({
  links,
  linkName,
  copiedText,
  actionsOf,
}: LinkCardsProps<T>) => (
  <ul className="link-cards">
    {links.map(link => {
      const { placeName, hostName, url } = link
      const address = url === undefined ? undefined : `${location.origin}${url}`
      const label = `${placeName}的${linkName}`
      return (
        <li key={url ?? placeName}>
          {address !== undefined && <QrCode aria-label={`${label}二维码`} value={address} size={132} />}
          <div>
            <b>{placeName}</b>
            {hostName !== undefined && <span>{hostName}</span>}
            {address === undefined ? (
              <span role="status">链接已作废，重新生成后可使用</span>
            ) : (
              <output aria-label={label}>{address}</output>
            )}
            <p>
              {address !== undefined && <CopyButton address={address} copiedText={copiedText} />}
              {actionsOf?.(link)}
            </p>
          </div>
        </li>
      )
    })}
  </ul>
)

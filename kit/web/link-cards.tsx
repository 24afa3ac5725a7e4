import { CopyOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { copyText } from './copy-text.ts'
import { QrCode } from './qr-code.tsx'
import './link-cards.css'

interface CardLink {
  readonly placeName: string
  /** Whose it is, where the dialog does not name one person. */
  readonly hostName?: string | undefined
  readonly url: string
}

interface LinkCardsProps {
  readonly links: readonly CardLink[]
  /** What the links are called: `通行链接`. */
  readonly linkName: string
  readonly copiedText: string
}

/** The links of somebody outside the shell: each as a code to scan, as text, and to copy. */
export const LinkCards = ({ links, linkName, copiedText }: LinkCardsProps) => (
  <ul className="link-cards">
    {links.map(({ placeName, hostName, url }) => {
      const address = `${location.origin}${url}`
      const label = `${placeName}的${linkName}`
      return (
        <li key={url}>
          <QrCode aria-label={`${label}二维码`} value={address} size={132} />
          <div>
            <b>{placeName}</b>
            {hostName !== undefined && <span>{hostName}</span>}
            <output aria-label={label}>{address}</output>
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
          </div>
        </li>
      )
    })}
  </ul>
)

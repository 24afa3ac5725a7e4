import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { getPortalImageText } from '../contract/home.ts'
import { BackToPortal } from './back-to-portal.tsx'
import { SecureLink } from './secure-link.tsx'
import './portal.css'

/** One image text, to be read. */
export default function ImageTextPage() {
  const { record, placeholder } = useAddressedRecord(getPortalImageText, { tabTitle: found => found.title })
  if (!record) return placeholder
  const { title, category, cover, content, linkUrl } = record
  return (
    <div className="portal-page portal-reading">
      <article>
        <BackToPortal />
        <h1>{title}</h1>
        {category && <p className="by">{category}</p>}
        {cover && (
          <div className="portal-cover">
            <StoredImages fileKeys={[cover]} size={240} />
          </div>
        )}
        <div className="portal-text">
          <p>{content}</p>
        </div>
        {linkUrl && <SecureLink to={linkUrl}>查看原文</SecureLink>}
      </article>
    </div>
  )
}

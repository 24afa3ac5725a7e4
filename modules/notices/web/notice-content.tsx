import { StoredFiles } from '#kit/web/stored-files.tsx'
import { StoredRichText } from '#kit/web/rich-text/rich-text.tsx'
import './notices.css'

interface ContentProps {
  readonly of: { readonly content: string; readonly attachments?: readonly string[] | undefined }
}

/** The text of a notice with its files. */
export const NoticeContent = ({ of: { content, attachments = [] } }: ContentProps) => (
  <div className="notice-content">
    <StoredRichText html={content} />
    {attachments.length > 0 && <StoredFiles fileKeys={attachments} />}
  </div>
)

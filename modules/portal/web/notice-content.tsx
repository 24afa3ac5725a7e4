import { StoredFiles } from '#kit/web/stored-files.tsx'
import type { InternalNotice } from '../contract/notice.ts'
import './portal.css'

/** The text as it was typed: no part of it is markup. */
export const NoticeContent = ({
  of: { content, attachments = [] },
}: {
  readonly of: Pick<InternalNotice, 'content' | 'attachments'>
}) => (
  <div className="portal-text">
    <p>{content}</p>
    {attachments.length > 0 && <StoredFiles fileKeys={attachments} />}
  </div>
)

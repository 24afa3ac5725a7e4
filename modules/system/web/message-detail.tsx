import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { useCall } from '#kit/web/query.ts'
import { useLocation } from 'react-router'
import { noticeLevel, oneMessage } from '../contract/message.ts'
import { Reading, follow, useLeads } from './reading.tsx'

/** One message, whole; opening it marks it read. */
export default function MessageDetail() {
  const id = Number(new URLSearchParams(useLocation().search).get('id')) || 0
  const one = useCall(oneMessage, { id }, { quiet: true, enabled: id > 0 }).data
  const leads = useLeads()
  return (
    <>
      {one && <Reading of={one} />}
      <DetailPage
        one={oneMessage}
        title={m => m.title}
        status={m => (m.level === 'normal' ? null : <Choice of={noticeLevel} value={m.level} />)}
        groups={[
          { keys: ['kindName', 'noticeGroup', 'createTime', 'readTime', { key: 'body', wide: true }] },
        ]}
        verbs={m => [leads(m) !== undefined && { label: '去处理', run: () => follow(leads(m)!) }]}
      />
    </>
  )
}

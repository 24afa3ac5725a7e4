import { Modal } from 'antd'
import { useState } from 'react'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { RowSkeleton, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { useCall } from '#kit/web/query.ts'
import { ScrollRegion } from '#kit/web/scroll-region.tsx'
import { shownProjectCode, useSession } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { addSuggestion, listOwnSuggestions } from '../contract/suggestion.ts'
import './notifications.css'

/** The user's earlier suggestions, and the replies. */
function OwnSuggestions() {
  const own = useCall(listOwnSuggestions, undefined, { quiet: true, project: 0, staleMs: 0 })
  if (own.isError) return <ErrorState error={own.error} onRetry={() => void own.refetch()} />
  if (!own.data)
    return (
      <div style={{ position: 'relative', height: 160 }}>
        <RowSkeleton rows={3} />
      </div>
    )
  if (!own.data.length)
    return (
      <p className="absent" style={{ padding: '24px 0' }}>
        你尚未提交过反馈
      </p>
    )
  return (
    <ScrollRegion label="我的反馈" className="own-suggestions">
      <ul>
        {own.data.map(suggestion => (
          <li key={suggestion.id}>
            {suggestion.content}
            <br />
            <small>
              {suggestion.createTime?.slice(0, 16)}
              {suggestion.projectName ? ` · ${suggestion.projectName}` : ''} ·{' '}
              {suggestion.reply ? '已回复' : suggestion.isRead ? '已读' : '等待查看'}
            </small>
            {suggestion.photos?.length ? <StoredImages fileKeys={suggestion.photos} /> : null}
            {suggestion.reply && (
              <p className="answer">
                {suggestion.replyName}：{suggestion.reply}
                <br />
                <small>{suggestion.replyTime?.slice(0, 16)}</small>
              </p>
            )}
          </li>
        ))}
      </ul>
    </ScrollRegion>
  )
}

/** 意见反馈: from users of the product to those responsible for it. */
export function SuggestionDialog({ close }: { readonly close: () => void }) {
  const [tab, setTab] = useState<'write' | 'own'>('write')
  const projectCode = useSession(shownProjectCode)
  if (tab === 'own')
    return (
      <Modal open title="我的反馈" width={560} onCancel={close} footer={null}>
        <p style={{ paddingBottom: 8 }}>
          <button type="button" className="linkish" onClick={() => setTab('write')}>
            返回写反馈
          </button>
        </p>
        <OwnSuggestions />
      </Modal>
    )
  return (
    <EditDialog
      shape={addSuggestion.input}
      draftKey="suggestion/new"
      title="意见反馈"
      submitLabel="提交"
      groups={[
        {
          keys: [
            { key: 'content', help: '遇到的问题、希望的改进；由公司负责人查看并回复' },
            { key: 'photos', control: imagesControl },
            { key: 'mobile' },
          ],
        },
      ]}
      presentation="dialog"
      initial={projectCode ? { projectCode } : {}}
      below={() => (
        <p style={{ paddingTop: 8 }}>
          <button type="button" className="linkish" onClick={() => setTab('own')}>
            查看我的反馈和回复
          </button>
        </p>
      )}
      save={v => sendAndInvalidate(addSuggestion, v, { quiet: true })}
      onClose={close}
      onDone={() => {
        toast.success('已提交，回复会在「消息」里提醒你')
        close()
      }}
    />
  )
}

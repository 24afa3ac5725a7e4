import { Button, Modal } from 'antd'
import { useState } from 'react'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/use-edit.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { addDelegate, endDelegate, listOwnDelegates } from '../contract/delegate.ts'
import './approvals.css'

function AddDelegate({ onClose }: { readonly onClose: () => void }) {
  const adding = useSend(addDelegate, { quiet: true })
  return (
    <EditDialog
      shape={addDelegate.input}
      title="新增审批委托"
      draftKey={draftKeyOf(addDelegate, 'new')}
      presentation="dialog"
      submitLabel="保存委托"
      save={values => adding.mutateAsync(values)}
      onClose={onClose}
      onDone={onClose}
    />
  )
}

/** Who decides for me, and when (APR-6). */
export function DelegateDialog({ onClose }: { readonly onClose: () => void }) {
  const [isAdding, setAdding] = useState(false)
  const own = useCall(listOwnDelegates, {}).data ?? []
  const ending = useSend(endDelegate)
  return (
    <Modal open title="审批委托" footer={null} onCancel={onClose}>
      <p>委托期间新到的审批由受托人处理；已在我待办中的不变，可以转交。</p>
      <ul className="approval-delegates">
        {own.map(delegate => (
          <li key={delegate.id}>
            <span>
              {delegate.delegateName} · {delegate.beginDate} 至 {delegate.endDate}
            </span>
            <Button
              size="small"
              disabled={ending.isPending}
              onClick={() => ending.mutate({ id: delegate.id })}
            >
              撤销
            </Button>
          </li>
        ))}
        {own.length === 0 && <li>暂无委托</li>}
      </ul>
      <Button type="primary" onClick={() => setAdding(true)}>
        新增委托
      </Button>
      {isAdding && <AddDelegate onClose={() => setAdding(false)} />}
    </Modal>
  )
}

import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { FooterActions, type Action } from '#kit/web/action.tsx'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { useSend } from '#kit/web/query.ts'
import { readCopy, resubmitRequest } from '../contract/instance-actions.ts'
import { getInstance, instanceAction, type InstanceDetail } from '../contract/instance.ts'
import { paths } from '../module.ts'
import { InstanceContent, unchangedText } from './instance-content.tsx'
import type { InstanceDialog } from './instance-dialogs.tsx'
import { InstanceStatus } from './instance-status.tsx'
import '#kit/web/detail/detail.css'

const Dialog = lazyComponent(() => import('./instance-dialog.tsx').then(m => m.OpenDialog))

/** Opens the form of a request that came back; where its content is fixed, asks before it goes in again. */
function useResubmit({ id, title, amendLink }: InstanceDetail): () => unknown {
  const navigate = useNavigate()
  return () =>
    amendLink === undefined
      ? confirmAndSend(resubmitRequest, {
          actionLabel: '重新提交',
          unit: '项审批',
          title: `重新提交「${title}」`,
          okLabel: '重新提交',
          consequences: [unchangedText],
          reason: false,
          input: { id },
        })
      : navigate(amendLink)
}

function useInstanceActions(instance: InstanceDetail, open: (dialog: InstanceDialog) => void): Action[] {
  const navigate = useNavigate()
  const resubmit = useResubmit(instance)
  const offered = keysOf(instanceAction).filter(key => instance.actions.includes(key))
  const { link } = instance
  return [
    ...offered.map(key => ({
      label: labelOf(instanceAction, key),
      danger: key === 'refuse' || key === 'terminate',
      run: () => (key === 'resubmit' ? resubmit() : open(key)),
    })),
    ...(link ? [{ label: '查看业务', run: () => void navigate(link) }] : []),
    { label: '打印', run: () => void window.open(`${paths.print}?id=${instance.id}`, '_blank') },
  ]
}

function InstancePage({ instance }: { readonly instance: InstanceDetail }) {
  const [dialog, setDialog] = useState<InstanceDialog>()
  const actions = useInstanceActions(instance, setDialog)
  const { mutate: markRead } = useSend(readCopy, { quiet: true })
  useEffect(() => {
    markRead({ id: instance.id })
  }, [instance.id, markRead])
  return (
    <div className="detail-page">
      <header>
        <h2>{instance.title}</h2>
        <InstanceStatus instance={instance} />
        <span className="spring" />
        <FooterActions actions={actions} />
      </header>
      <div className="scroll">
        <InstanceContent instance={instance} />
      </div>
      {dialog && <Dialog dialog={dialog} instance={instance} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

/** 审批详情: the form, its course, and what this person may do with it. */
export default function InstanceDetailPage() {
  const { record, placeholder } = useAddressedRecord(getInstance, {
    tabTitle: instance => instance.title,
    staleMs: 0,
  })
  return record ? <InstancePage instance={record} /> : placeholder
}

import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { keysOf, labelOf } from '#kit/contract/field.ts'
import { FooterActions, type Action } from '#kit/web/action.tsx'
import { useAddressedRecord } from '#kit/web/addressed-record.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { useSend } from '#kit/web/query.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { instanceState } from '../contract/choices.ts'
import { readCopy, resubmitRequest } from '../contract/instance-actions.ts'
import { getInstance, instanceAction, type InstanceDetail } from '../contract/instance.ts'
import { paths } from '../module.ts'
import { InstanceContent } from './instance-content.tsx'
import type { InstanceDialog } from './instance-dialogs.tsx'
import '#kit/web/detail/detail.css'

const Dialog = lazyComponent(() => import('./instance-dialog.tsx').then(m => m.OpenDialog))

/** Sends a request in again: a general one with its form open, any other as it is. */
function useResubmit(instance: InstanceDetail): () => unknown {
  const navigate = useNavigate()
  const sending = useSend(resubmitRequest)
  return () =>
    instance.bizType === 'general'
      ? navigate(`${paths.request}?again=${instance.id}`)
      : sending.mutateAsync({ id: instance.id })
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
        <ChoiceStatus choices={instanceState} value={instance.state} />
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

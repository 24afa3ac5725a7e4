import { Checkbox, Input, Modal } from 'antd'
import { useState } from 'react'
import { reasonFault } from '#kit/web/confirm.tsx'
import { count, yuan } from '#kit/web/figure.tsx'
import { useSend } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { undoRun, type OneRun } from '../contract/run.ts'

/** GEN-7: as a whole, or the unpaid ones alone; the reason is kept on every bill. */
export function UndoDialog({ run, onClose, onDone }: { readonly run: OneRun; readonly onClose: () => void; readonly onDone: () => void }) {
  const { standing: s } = run, must = s.paid + s.invoiced + s.locked > 0, go = useSend(undoRun, { quiet: true }), [only, setOnly] = useState(false), [reason, setReason] = useState(''), [said, setSaid] = useState<string>()
  const fault = reasonFault(reason), blocked = s.paid > 0 && !only ? `有 ${count(s.paid)} 张账单已缴费，请勾选“仅撤销未缴”` : undefined
  const undo = async (): Promise<void> => {
    if (fault ?? blocked) { setSaid(fault ?? blocked); return }
    try {
      const a = await go.mutateAsync({ id: run.id, onlyUnpaid: only, reason: reason.trim() })
      toast.success(a.taskId ? '正在撤销，可在任务中心查看进度' : `已作废 ${count(a.abolished)} 张账单${a.kept ? `，保留 ${count(a.kept)} 张` : ''}`)
      onDone(); onClose()
    } catch (e) { setSaid((e as Error).message) }
  }
  return (
    <Modal open title={`撤销批次 ${run.batchNo}`} okText={`作废 ${count(s.unpaid)} 张账单`} okButtonProps={{ danger: true, disabled: s.unpaid === 0 }} cancelText="不撤销" confirmLoading={go.isPending} onOk={() => void undo()} onCancel={onClose} mask={{ closable: false }}>
      <p>将作废 <b>{count(s.unpaid)}</b> 张未缴账单，共 <b>{yuan(s.unpaidAmount, true)}</b>。账期释放，可以重新生成；作废的账单仍可在账单列表中查到。</p>
      {must && <p><Checkbox checked={only} onChange={e => { setOnly(e.target.checked); setSaid(undefined) }}>仅撤销未缴（保留 {count(s.paid)} 张已缴、{count(s.invoiced)} 张已开票、{count(s.locked)} 张支付中）</Checkbox></p>}
      <label htmlFor="undo-reason">撤销原因</label>
      <Input.TextArea id="undo-reason" autoFocus value={reason} maxLength={200} autoSize={{ minRows: 2, maxRows: 4 }} onChange={e => { setReason(e.target.value); setSaid(undefined) }} aria-invalid={said !== undefined} />
      <p role="alert" style={{ color: 'var(--bad)', minHeight: 22 }}>{said}</p>
    </Modal>
  )
}

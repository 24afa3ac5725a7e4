import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { imagesControl } from '#kit/web/controls/control-kinds.tsx'
import { editEvidence, endErasure, executeErasure, type ErasureRequest } from '../contract/erasure.ts'

/** Erases for good: the name is typed, so that no other request is executed by mistake. */
export const ExecuteDialog = actionDialog({
  call: executeErasure,
  title: (request: ErasureRequest) => `执行「${request.personName}」的删除请求`,
  submitLabel: '删除，不可恢复',
  danger: true,
  keys: [
    { key: 'personName', help: '输入被删除人的姓名以确认' },
    { key: 'confirmed', label: '我已核对身份与处理内容，确认删除后不可恢复', wide: true },
  ],
  target: ({ id }) => ({ id }),
  doneText: () => '已删除，依法保留的内容见处理结果',
})

export const EndDialog = actionDialog({
  call: endErasure,
  title: (request: ErasureRequest) => `「${request.personName}」的删除请求：拒绝或撤回`,
  submitLabel: '确定',
  keys: ['state', { key: 'reason', wide: true }],
  target: ({ id }) => ({ id }),
  doneText: (_, answer) => (answer.state === 'refused' ? '已拒绝' : '已撤回'),
})

/** Adds evidence, and takes away what proves nothing or was attached by mistake. */
export const EvidenceDialog = actionDialog({
  call: editEvidence,
  title: (request: ErasureRequest) => `「${request.personName}」的身份核验材料`,
  submitLabel: '保存',
  keys: [
    {
      key: 'evidence',
      wide: true,
      control: imagesControl,
      help: '身份证件、委托书等的照片；移除的材料随即删除',
    },
  ],
  target: ({ id }) => ({ id }),
  initial: ({ evidence }) => ({ evidence: evidence ?? [] }),
  doneText: () => '已保存',
})

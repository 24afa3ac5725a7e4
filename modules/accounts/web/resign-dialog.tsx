import { readRows } from '#kit/web/controls/read-value.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import { useCall } from '#kit/web/query.ts'
import { toast } from '#kit/web/toast.ts'
import { getOpenWork, resignManager, type Manager } from '../contract/manager.ts'

const renderConsequences = () => <p>账号会停用并退出所有设备，微信绑定解除；操作记录保留。</p>

/** Somebody leaves: the open work goes to another, the sessions end (PERM-8). */
export function ResignDialog({ of, onClose }: { readonly of: Manager; readonly onClose: () => void }) {
  const query = useCall(getOpenWork, { id: of.id }, { quiet: true, staleMs: 0 })
  const work = query.data ?? []
  return (
    <EditDialog
      shape={resignManager.input}
      draftKey={draftKeyOf(resignManager, of.id)}
      title={`「${of.realName}」离职交接`}
      submitLabel="办理离职"
      initial={{ id: of.id }}
      groups={[
        {
          keys: [
            {
              key: 'handTo',
              help: query.isPending
                ? '正在统计未完成的工作'
                : work.length
                  ? `未完成：${work.map(w => `${w.what} ${w.count} 项`).join('、')}`
                  : '暂无未完成的工作，可以不选',
            },
            'reason',
          ],
        },
      ]}
      rules={v => (work.length && !v.handTo ? { handTo: '还有未完成的工作，请选择交接人' } : undefined)}
      below={renderConsequences}
      save={v => sendAndInvalidate(resignManager, { ...v, id: of.id }, { quiet: true })}
      onClose={onClose}
      onDone={result => {
        onClose()
        const moved = readRows<{ what: string; count: number; remark?: string }>(result)
        const handed = moved.map(w => `${w.what} ${w.count} 项${w.remark ? `（${w.remark}）` : ''}`)
        toast.success(`「${of.realName}」已办理离职${handed.length ? `，已交接${handed.join('、')}` : ''}`)
      }}
    />
  )
}

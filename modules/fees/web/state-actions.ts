import type { Id } from '#kit/domain/id.ts'
import type { Call } from '#kit/contract/call.ts'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { confirm } from '#kit/web/confirm.tsx'
import type { BatchAction } from '#kit/web/list/batch-bar.tsx'
import { toast } from '#kit/web/toast.ts'
import type { Action } from '#kit/web/action.tsx'
import type { stateChangeResult, stateChangeInput } from '../contract/item.ts'

type StateChangeCall = Call<NonNullable<typeof stateChangeInput.T>, NonNullable<typeof stateChangeResult.T>>

interface Definition {
  readonly id: Id
  readonly name: string
  readonly state: 'on' | 'off'
}

/** 启用 and 停用 (FEE-5): a disabled definition cannot be bound; the response says how many relations go on. */
export function createStateActions<T extends Definition>(
  call: StateChangeCall,
  what: string,
): { readonly row: (r: T) => Action; readonly batch: readonly BatchAction<T>[] } {
  const permission = call.needs
  const run = async (ids: readonly string[], state: 'on' | 'off', name: string): Promise<boolean> => {
    if (
      state === 'off' &&
      !(await confirm({
        title: `停用${name}`,
        text: `停用后不能再用它新建或绑定；已有的收费关联按原标准继续收，直到各自的止收日期`,
        okLabel: '停用',
      }))
    )
      return false
    const result = await sendAndInvalidate(call, { ids, state })
    ;(result.relations && state === 'off' ? toast.warning : toast.success)(result.message)
    return true
  }
  return {
    row: r => ({
      label: r.state === 'on' ? '停用' : '启用',
      needs: permission,
      run: () => run([String(r.id)], r.state === 'on' ? 'off' : 'on', `「${r.name}」`),
    }),
    batch: (['off', 'on'] as const).map(state => ({
      label: state === 'on' ? '启用' : '停用',
      needs: permission,
      run: t => run(t.ids, state, ` ${t.count} 个${what}`),
    })),
  }
}

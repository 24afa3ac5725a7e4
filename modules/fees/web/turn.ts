import type { Call } from '#kit/contract/call.ts'
import type { Permission } from '#kit/contract/call.ts'
import { act } from '#kit/web/acts.ts'
import { confirm } from '#kit/web/confirm.tsx'
import type { Batch } from '#kit/web/list/batch-bar.tsx'
import { toast } from '#kit/web/toast.ts'
import type { Verb } from '#kit/web/verb.tsx'
import type { turned, turning } from '../contract/item.ts'

type Turning = Call<NonNullable<typeof turning.T>, NonNullable<typeof turned.T>>

interface Row {
  readonly id: number
  readonly name: string
  readonly state: 'on' | 'off'
}

/** 启用 and 停用 (FEE-5): what is off takes nothing new, what is bound goes on and the answer says how much. */
export function turns<T extends Row>(
  call: Turning,
  what: string,
): { readonly row: (r: T) => Verb; readonly batch: readonly Batch<T>[] } {
  const may = call.needs as Permission
  const run = async (ids: readonly string[], state: 'on' | 'off', name: string): Promise<boolean> => {
    if (
      state === 'off' &&
      !(await confirm({
        title: `停用${name}`,
        text: `停用后不能再用它新建或绑定；已有的收费关联按原标准继续收，直到各自的止收日期`,
        ok: '停用',
      }))
    )
      return false
    const said = await act(call, { ids, state })
    ;(said.relations && state === 'off' ? toast.warning : toast.success)(said.message)
    return true
  }
  return {
    row: r => ({
      label: r.state === 'on' ? '停用' : '启用',
      may,
      run: () => run([String(r.id)], r.state === 'on' ? 'off' : 'on', `「${r.name}」`),
    }),
    batch: (['off', 'on'] as const).map(state => ({
      label: state === 'on' ? '启用' : '停用',
      may,
      run: t => run(t.ids, state, ` ${t.count} 个${what}`),
    })),
  }
}

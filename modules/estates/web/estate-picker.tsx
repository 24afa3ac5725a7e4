import { useMemo } from 'react'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { loadPinyinMatcher, type PinyinMatcher } from '#kit/web/pinyin.ts'
import { useCall } from '#kit/web/query.ts'
import { send } from '#kit/web/send.ts'
import { listEstates, type Estate } from '../contract/estate.ts'

/** 0§9: projects are listed a thousand at a time. */
const maxEstates = 1000

const matchesWord = (match: PinyinMatcher, e: Estate, word: string): boolean =>
  match(e.name, word) !== undefined || match(e.projectCode, word) !== undefined

const disabledReason = (e: Estate): string | undefined => (e.state === 'off' ? '项目已停用' : undefined)

const estateNode = (e: Estate): TreeNode<Estate> => ({
  key: e.projectCode,
  label: e.name,
  path: [],
  leaf: true,
  note: e.projectCode,
  disabledReason: disabledReason(e),
  data: e,
})

const fetchEstates = async (): Promise<readonly Estate[]> =>
  (await send(listEstates, { page: 1, size: maxEstates }, { quiet: true, project: 0 })).rows

const estateSource: TreeSource<Estate> = {
  children: async () => (await fetchEstates()).map(estateNode),
  search: async word => {
    const match = await loadPinyinMatcher()
    return (await fetchEstates()).filter(e => matchesWord(match, e, word)).map(estateNode)
  },
}

/** What the choice of estates gives (0§3): `SelectedCodes` and `SelectedNames`, in the same order. */
export interface EstateSelection {
  readonly selectedCodes: readonly string[]
  readonly selectedNames: readonly string[]
}

interface Props {
  readonly value: readonly string[]
  readonly many?: boolean
  readonly max?: number | undefined
  readonly onDone: (chosen: EstateSelection | undefined) => void
}

/** 选择项目: several estates, or one (0§2). Those that are out of use cannot be taken. */
export function EstatePicker({ value, many = true, max, onDone }: Props) {
  const estates = useCall(
    listEstates,
    { page: 1, size: maxEstates },
    { project: 0, quiet: true, enabled: value.length > 0 },
  )
  const ready = value.length === 0 || !estates.isPending
  const chosen = useMemo(
    () => (estates.data?.rows ?? []).filter(e => value.includes(e.projectCode)).map(estateNode),
    [estates.data, value],
  )
  if (!ready) return null
  return (
    <TreePicker
      title="选择项目"
      source={estateSource}
      multiple={many}
      max={max}
      unit="个项目"
      value={chosen}
      placeholder="请输入项目名称、编码或拼音首字母"
      layout="rows"
      emptyText="暂无项目"
      onDone={got =>
        onDone(
          got && {
            selectedCodes: got.map(n => n.data.projectCode),
            selectedNames: got.map(n => n.data.name),
          },
        )
      }
    />
  )
}

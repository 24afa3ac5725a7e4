import { Select } from 'antd'
import { useEffect, useMemo, useState } from 'react'
import { allowClear } from '#kit/web/allow-clear.tsx'
import type { TreeNode } from '#kit/web/pickers/tree-selection.ts'
import { TreePicker } from '#kit/web/pickers/tree-picker.tsx'
import type { TreeSource } from '#kit/web/pickers/use-tree.ts'
import { loadPinyinMatcher, matchPlain, type PinyinMatcher } from '#kit/web/pinyin.ts'
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

/** One project, pulled down; found by name, code, pinyin or initials. */
export function ProjectSelect({
  value,
  onChange,
  id,
  disabled,
  placeholder = '请选择项目',
}: {
  readonly value: string | undefined
  readonly onChange: (code: string | undefined, name: string | undefined) => void
  readonly id?: string
  readonly disabled?: boolean
  readonly placeholder?: string
}) {
  const estates = useCall(listEstates, { page: 1, size: maxEstates }, { project: 0, quiet: true })
  const [match, setMatch] = useState<PinyinMatcher>(() => matchPlain)
  const [open, setOpen] = useState(false)
  useEffect(() => {
    let live = true
    if (open) {
      void loadPinyinMatcher().then(m => {
        if (live) {
          setMatch(() => m)
        }
      })
    }
    return () => {
      live = false
    }
  }, [open])
  const rows = estates.data?.rows ?? []
  return (
    <Select
      {...(id ? { id } : {})}
      style={{ width: '100%', minWidth: 160 }}
      disabled={disabled ?? false}
      allowClear={allowClear}
      loading={estates.isFetching}
      placeholder={placeholder}
      aria-label={placeholder}
      open={open}
      onOpenChange={setOpen}
      popupMatchSelectWidth={false}
      showSearch={{
        filterOption: (word, o) => {
          const e = rows.find(r => r.projectCode === o?.value)
          return e !== undefined && matchesWord(match, e, word.trim())
        },
      }}
      options={rows.map(e => ({
        value: e.projectCode,
        label: e.name,
        disabled: disabledReason(e) !== undefined,
        title: disabledReason(e) ?? e.name,
      }))}
      notFoundContent={
        estates.isError ? '项目加载失败，请重试' : estates.isPending ? '正在读取' : '没有符合的项目'
      }
      value={value ?? null}
      onChange={v => onChange(v ?? undefined, rows.find(e => e.projectCode === v)?.name)}
    />
  )
}

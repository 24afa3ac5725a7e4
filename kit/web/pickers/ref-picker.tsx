import { useMemo, type ComponentType } from 'react'
import type { Call } from '#kit/contract/call.ts'
import { useChosenProject } from '../chosen-project.ts'
import { ErrorState } from '../list/list-feedback.tsx'
import { loadPinyinMatcher } from '../pinyin.ts'
import { useCall } from '../query.ts'
import type { Option, PickerProps } from '../refs.ts'
import { loadedTree } from './loaded-tree.ts'
import { SlideIn } from './slide-in.tsx'
import { TreePicker } from './tree-picker.tsx'
import type { TreeNode } from './tree-selection.ts'

interface RefPickerOptions<I, O> {
  readonly title: string
  /** What is counted: 个项目. */
  readonly unit: string
  readonly emptyText: string
  /** Returns all of them at once. */
  readonly call: Call<I, O>
  /** `project` is that of the form, or the one chosen above. */
  readonly input: (project: string | undefined) => NoInfer<I>
  /** Whether the records of all projects are offered. */
  readonly allProjects?: boolean
  readonly nodes: (answer: O) => readonly TreeNode<Option>[]
  /** Texts that a search looks in, also by pinyin; by default the name. `false`: no search. */
  readonly searched?: ((option: Option) => readonly string[]) | false
  readonly placeholder?: string
}

/** An option as a leaf at the top. */
export const optionNode = (option: Option): TreeNode<Option> => ({
  key: option.value,
  label: option.label,
  path: [],
  leaf: true,
  note: option.note,
  disabledReason: option.disabledReason,
  data: option,
})

/** A slide-in over records that one call returns whole, as a list or as a tree: the `picker` of a source. */
export function createRefPicker<I, O>(options: RefPickerOptions<I, O>): ComponentType<PickerProps> {
  const { searched = (option: Option) => [option.label] } = options
  const search = async (word: string, leaves: readonly TreeNode<Option>[]) => {
    const match = await loadPinyinMatcher()
    const texts = searched || (() => [])
    return leaves.filter(l => texts(l.data).some(text => match(text, word) !== undefined))
  }
  return function RefPicker({ value, multiple, max, formValues, onDone }) {
    const chosenProject = useChosenProject()
    const project = typeof formValues.projectCode === 'string' ? formValues.projectCode : chosenProject
    const how = { quiet: true, staleMs: 0, ...(options.allProjects ? { project: 0 as const } : {}) }
    const all = useCall(options.call, options.input(project), how)
    const tree = useMemo(() => {
      if (all.data === undefined) return undefined
      const nodes = options.nodes(all.data)
      const { search: find, ...source } = loadedTree(nodes, search)
      return { nodes, source: searched ? { ...source, search: find } : source }
    }, [all.data])
    const leave = (): void => onDone(undefined)
    if (tree)
      return (
        <TreePicker
          title={options.title}
          source={tree.source}
          multiple={multiple}
          max={multiple ? max : undefined}
          unit={options.unit}
          layout="rows"
          {...(options.placeholder ? { placeholder: options.placeholder } : {})}
          emptyText={options.emptyText}
          value={tree.nodes.filter(n => n.leaf && value.includes(n.data.value))}
          onDone={chosen => onDone(chosen?.map(n => n.data))}
        />
      )
    if (!all.isError) return null
    return (
      <SlideIn title={options.title} saveDisabledReason="加载失败" onBack={leave} onSave={leave}>
        <ErrorState error={all.error} onRetry={() => void all.refetch()} />
      </SlideIn>
    )
  }
}

import { useMemo, useState } from 'react'
import { usePinyinMatcher } from '#kit/web/use-pinyin-matcher.ts'
import type { DepartmentNode } from '../contract/department.ts'
import { pruneTree } from '../domain/department-tree.ts'

/** Departments whose name matches what is typed (pinyin, initials), with those above them. */
export function useDepartmentFilter(tree: readonly DepartmentNode[]) {
  const [text, setText] = useState('')
  const word = text.trim()
  const match = usePinyinMatcher(word !== '')
  const isFiltered = word !== '' && match !== undefined
  const shown = useMemo(() => {
    if (!match || word === '') return tree
    const isWanted = (d: DepartmentNode): boolean => match(d.name, word) !== undefined
    return pruneTree(tree, isWanted, () => false)
  }, [tree, match, word])
  return { text, setText, word, shown, isFiltered }
}

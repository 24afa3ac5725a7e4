import { useEffect, useMemo, useState } from 'react'
import { loadPinyinMatcher } from '#kit/web/pinyin.ts'
import type { DepartmentNode } from '../contract/department.ts'
import { pruneTree } from '../domain/department-tree.ts'

/** Departments whose name matches what is typed (pinyin, initials), with those above them. */
export function useDepartmentFilter(tree: readonly DepartmentNode[]) {
  const [text, setText] = useState('')
  const [matches, setMatches] = useState<(name: string) => boolean>()
  const word = text.trim()
  useEffect(() => {
    let isCurrent = true
    if (word) {
      void loadPinyinMatcher().then(match => {
        if (isCurrent) {
          setMatches(() => (name: string) => match(name, word) !== undefined)
        }
      })
    } else {
      setMatches(undefined)
    }
    return () => {
      isCurrent = false
    }
  }, [word])
  const shown = useMemo(() => {
    if (!matches) return tree
    return pruneTree(
      tree,
      d => matches(d.name),
      () => false,
    )
  }, [tree, matches])
  return { text, setText, word, shown, isFiltered: matches !== undefined }
}

import { defined } from '#kit/domain/defined.ts'
import { useEffect, useRef, useState } from 'react'
import type { TreeNode } from './tree-selection.ts'
import type { Tree, TreeSource } from './use-tree.ts'

export interface SearchResult<D> {
  readonly word: string
  readonly nodes?: readonly TreeNode<D>[]
  readonly error?: unknown
}

export interface TreeSearch<D> {
  readonly text: string
  readonly setText: (text: string) => void
  readonly setComposing: (composing: boolean) => void
  /** Undefined while the tree itself is shown. */
  readonly result: SearchResult<D> | undefined
  /** Searches now, without waiting for the next key. */
  readonly submit: () => void
  readonly retry: () => void
}

const searchDelayMs = 300

/** Searches a tree's leaves while one types; an emptied box brings back the whole tree, read again (0§5). */
export function useTreeSearch<D>(source: TreeSource<D>, tree: Tree<D>): TreeSearch<D> {
  const [text, setText] = useState('')
  const [composing, setComposing] = useState(false)
  const [result, setResult] = useState<SearchResult<D>>()
  const latest = useRef('')
  const search = async (typed: string): Promise<void> => {
    const word = typed.trim()
    if (word === latest.current) return
    latest.current = word
    if (!word) {
      setResult(undefined)
      tree.reload()
      return
    }
    setResult(previous => ({ word, ...(previous?.nodes ? { nodes: previous.nodes } : {}) }))
    try {
      const nodes = await defined(source.search)(word)
      if (latest.current === word) {
        setResult({ word, nodes })
      }
    } catch (error) {
      if (latest.current === word) {
        setResult({ word, error })
      }
    }
  }
  useEffect(() => {
    if (composing || !source.search) return undefined
    const timer = setTimeout(() => void search(text), text.trim() ? searchDelayMs : 0)
    return () => clearTimeout(timer)
  }, [text, composing])
  return {
    text,
    setText,
    setComposing,
    result,
    submit: () => void search(text),
    retry: () => {
      latest.current = ''
      void search(text)
    },
  }
}

import { useEffect, useState } from 'react'
import { loadPinyinMatcher, type PinyinMatcher } from './pinyin.ts'

/** The matcher once its dictionary is there, which is fetched as soon as it is needed. */
export function usePinyinMatcher(isNeeded = true): PinyinMatcher | undefined {
  const [matcher, setMatcher] = useState<PinyinMatcher>()
  useEffect(() => {
    if (isNeeded) {
      void loadPinyinMatcher().then(loaded => setMatcher(() => loaded))
    }
  }, [isNeeded])
  return matcher
}

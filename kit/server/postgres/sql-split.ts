import { defined } from '#kit/domain/defined.ts'
/**
 * The statements of a SQL script, for scripts that cannot run as one string (CREATE INDEX CONCURRENTLY).
 * Knows strings, quoted names, dollar quotes and nested comments; not BEGIN ATOMIC bodies.
 */
export function splitStatements(script: string): string[] {
  const statements: string[] = []
  let from = 0
  let at = 0
  while (at < script.length) {
    const skip = measureQuoted(script, at)
    if (skip > 0) {
      at += skip
    } else if (script[at++] === ';') {
      statements.push(script.slice(from, at))
      from = at
    }
  }
  statements.push(script.slice(from))
  return statements.filter(statement => !isBlank(statement))
}

/** How many characters a comment or quoted piece takes that starts here; 0 when none starts. */
function measureQuoted(script: string, at: number): number {
  const two = script.slice(at, at + 2)
  if (two === '--') return measureUpTo(script, '\n', at)
  if (two === '/*') return measureComment(script, at)
  if (script[at] === '"') return measureUpTo(script, '"', at, 1)
  if (script[at] === "'") {
    const escapes = /^[eE]$|[^\w$][eE]$/.test(script.slice(Math.max(0, at - 2), at))
    const text = escapes ? /^'(?:[^'\\]|\\[^]|'')*'/ : /^'(?:[^']|'')*'/
    return text.exec(script.slice(at))?.[0].length ?? script.length - at
  }
  const dollar = /^\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/u.exec(script.slice(at, at + 80))?.[0]
  if (dollar && !/[\w$]/.test(script[at - 1] ?? '')) return measureUpTo(script, dollar, at, dollar.length)
  return 0
}

function measureUpTo(script: string, end: string, at: number, skip = 2): number {
  const found = script.indexOf(end, at + skip)
  return (found < 0 ? script.length : found + end.length) - at
}

function measureComment(script: string, at: number): number {
  const marks = /\/\*|\*\//g
  marks.lastIndex = at
  let depth = 0
  for (let mark = marks.exec(script); mark; mark = marks.exec(script)) {
    depth += mark[0] === '/*' ? 1 : -1
    if (depth === 0) return marks.lastIndex - at
  }
  return script.length - at
}

function isBlank(statement: string): boolean {
  let at = 0
  while (at < statement.length) {
    const two = statement.slice(at, at + 2)
    if (two === '--' || two === '/*') {
      at += measureQuoted(statement, at)
    } else if (/[\s;]/.test(defined(statement[at]))) {
      at++
    } else {
      return false
    }
  }
  return true
}

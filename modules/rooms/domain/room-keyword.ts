/**
 * What the keyword box is asked: a part of a path or number, in the spelling that `search_text` keeps
 * (`3-2-1502`, `321502`, `3栋2单元1502`).
 */
export const normalizeRoomKeyword = (keyword: string): string =>
  keyword
    .trim()
    .toLowerCase()
    .replace(/\s*(栋|幢|座|号楼)\s*/g, '-')
    .replace(/\s*单元\s*/g, '-')
    .replace(/\s*[室房]$/, '')
    .replace(/[－—–]/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-/, '')

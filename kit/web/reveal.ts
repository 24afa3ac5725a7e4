/** Shows people's data in full: asked of the server, which writes it down (PERM-7). Nothing where nobody offers it. */
export type Reveal = (entity: string, id: number, key: string) => Promise<string>
let offered: Reveal | undefined
export const linkReveal = (r: Reveal): void => { offered = r }
export const useReveal = (): Reveal | undefined => offered

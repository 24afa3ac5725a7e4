/** The own tasks of a kind of planned work on the telephone. */
export { WorkPhone } from './work-phone.tsx'

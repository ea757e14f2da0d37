import { describe, expect, it } from 'vitest'
import { drawProgress } from '../../../src/service/import/progress.ts'

function output(isTTY: boolean, columns = 80) {
  const written: string[] = []
  return { isTTY, columns, written, write: (text: string) => written.push(text) }
}

describe('progress', () => {
  it('is a line for each phase without a terminal', () => {
    const file = output(false)
    const progress = drawProgress(file)
    for (const done of [1, 2, 3]) progress('reading', done, 3)
    progress('writing', 1, 2)
    expect(file.written).toEqual(['reading\n', 'writing\n'])
  })

  it('is a bar that is drawn over on a terminal, and always at its end', () => {
    const terminal = output(true)
    const progress = drawProgress(terminal)
    for (let done = 0; done <= 1000; done++) progress('reading', done, 1000)
    expect(terminal.written.length).toBeLessThan(10)
    expect(terminal.written[0]).toContain('  0 %  reading')
    expect(terminal.written.at(-1)).toContain(`${'█'.repeat(30)} 100 %  reading`)
  })

  it('begins a new line for a new phase', () => {
    const terminal = output(true)
    const progress = drawProgress(terminal)
    progress('reading', 1, 1)
    progress('writing', 1, 2)
    expect(terminal.written.slice(1, 2)).toEqual(['\n'])
    expect(terminal.written.at(-1)).toContain('50 %  writing')
  })

  it('stays within a narrow terminal', () => {
    const terminal = output(true, 20)
    drawProgress(terminal)('reading a file with a long name', 1, 2)
    expect(terminal.written[0]?.replace('\r\u001b[2K', '').length).toBe(20)
  })
})

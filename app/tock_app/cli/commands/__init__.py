"""One module for each command, imported only when it is asked for: most need neither pixels nor a page."""


def run_command(command: str, arguments: list[str]) -> int:
    """Run one command and return its exit code."""
    match command:
        case "run":
            from tock_app.cli.commands import run

            return run.run(arguments)
        case "judge":
            from tock_app.cli.commands import judge

            return judge.run(arguments)
        case "rules":
            from tock_app.cli.commands import rules

            return rules.run(arguments)
        case "hint":
            from tock_app.cli.commands import hint

            return hint.run(arguments)
        case "arena":
            from tock_app.cli.commands import arena

            return arena.run(arguments)
        case "board":
            from tock_app.cli.commands import board

            return board.run(arguments)
        case "club":
            from tock_app.cli.commands import club

            return club.run(arguments)
        case "config":
            from tock_app.cli.commands import config

            return config.run(arguments)
        case "hardware":
            from tock_app.cli.commands import hardware

            return hardware.run(arguments)
        case "image-files":
            from tock_app.cli.commands import image_files

            return image_files.run(arguments)
        case "cards":
            from tock_app.cli.commands import cards

            return cards.run(arguments)
        case "game":
            from tock_app.cli.commands import game

            return game.run(arguments)
        case "replay":
            from tock_app.cli.commands import replay

            return replay.run(arguments)
        case "firmware":
            from tock_app.cli.commands import firmware

            return firmware.run(arguments)
        case "reed":
            from tock_app.cli.commands import reed

            return reed.run(arguments)
        case "bench":
            from tock_app.cli.commands import bench

            return bench.run(arguments)
        case "doctor":
            from tock_app.cli.commands import doctor

            return doctor.run(arguments)
        case "report":
            from tock_app.cli.commands import report

            return report.run(arguments)
        case "record":
            from tock_app.cli.commands import record

            return record.run(arguments)
        case "host":
            from tock_app.cli.commands import host

            return host.run(arguments)
        case "update":
            from tock_app.cli.commands import update

            return update.run(arguments)
    raise ValueError(command)

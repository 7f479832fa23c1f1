<?php
declare(strict_types=1);

namespace App\Http;

use App\Models\User;

const LIMIT = 10;
define('MODE', 'test');

/**
 * Something that answers.
 */
interface Handler
{
    public function handle(Request $request): Response;
}

trait Logs
{
    protected function log(string $line): void { error_log($line); }
}

#[Route('/users')]
final class UserController extends Controller implements Handler
{
    use Logs;

    public const PAGE = 20;
    private static ?User $current = null;

    public function __construct(private Repo $repo) {}

    /** Shows one user. */
    #[Get('/{id}')]
    public function show(int $id): Response
    {
        $user = $this->repo->find($id);
        return new Response($user);
    }
}

enum Suit: string
{
    case Hearts = 'H';
    public function color(): string { return 'Red'; }
}

function helper(array $items): array
{
    return array_map(fn ($x) => $x * 2, $items);
}
